"""Tables of records: in memory, stored, and drawn from laws."""
