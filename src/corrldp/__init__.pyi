from corrldp import dependence as dependence
from corrldp import leakage as leakage
from corrldp import privacy as privacy
from corrldp import protocols as protocols
from corrldp import testing as testing
from corrldp.collection import Aggregator as Aggregator
from corrldp.collection import Client as Client
from corrldp.collection import Collection as Collection
from corrldp.collection import Ledger as Ledger
from corrldp.collection import Memory as Memory
from corrldp.collection import Reports as Reports
from corrldp.collection import Seen as Seen
from corrldp.data.table import Table as Table
from corrldp.deployment.plan import plan as plan
from corrldp.domain import Domain as Domain
from corrldp.protocols.castell import Castell as Castell
from corrldp.protocols.corr_rr.protocol import CondRR as CondRR
from corrldp.protocols.corr_rr.protocol import CorrRR as CorrRR
from corrldp.protocols.estimates import Estimates as Estimates
from corrldp.protocols.jrr.protocol import JRR as JRR
from corrldp.protocols.lopub import LoPub as LoPub
from corrldp.protocols.postprocess import postprocess as postprocess
from corrldp.protocols.records import RecordTable as RecordTable
from corrldp.protocols.registry import list_protocols as list_protocols
from corrldp.protocols.registry import protocol as protocol
from corrldp.protocols.registry import protocol_from_json as protocol_from_json
from corrldp.protocols.rs_fd import RSFD as RSFD
from corrldp.protocols.rs_rfd import RSRFD as RSRFD
from corrldp.protocols.smp import LSMP as LSMP
from corrldp.protocols.smp import LSPL as LSPL
from corrldp.protocols.smp import SMP as SMP
from corrldp.protocols.smp import SPL as SPL
from corrldp.randomness import deployment_rng as deployment_rng
from corrldp.study.study import Study as Study

__version__: str
HOMES: dict[str, str]
MODULES: tuple[str, ...]
