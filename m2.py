from playwright.sync_api import sync_playwright
with sync_playwright() as p:
    b=p.chromium.launch(executable_path="/usr/bin/chromium",args=["--no-sandbox"])
    pg=b.new_page(viewport={"width":1280,"height":900})
    for n in ("castell","jrr","corr_rr"):
        pg.goto(f"file:///tmp/w/run-page10/report/{n}.html"); pg.wait_for_timeout(500)
        print(n,pg.evaluate("""async()=>{for(const s of document.querySelectorAll('.exhibit .whole')){s.open=true;s.parentElement.scrollIntoView();await new Promise(r=>setTimeout(r,80))};
          const o={};for(const s of document.querySelectorAll('.exhibit .drawing svg')){const q=[...s.querySelectorAll('.panel')].map(e=>{const r=e.querySelector('path').getBoundingClientRect();return [Math.round(r.width),Math.round(r.height),e.querySelectorAll('text').length]});if(q.length>3)o[s.dataset.figure]=JSON.stringify(q)};return o}"""))
    b.close()
