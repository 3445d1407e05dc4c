// Everything on the page can be read without this; it adds what needs a pointer or a key.
"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const data = JSON.parse(document.getElementById("numbers").textContent);
  const percent = `${+(100 * data.level).toFixed(3)} %`;

  // ---- a number tells what it is
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.append(tip);
  let told = null;

  const line = (text, kind) => {
    const element = document.createElement("p");
    element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };

  const tell = (number) => {
    if (told === number) return;
    hush();
    const [statistic, part, value, low, , n, method, why] = data.rows[number.dataset.e];
    const [name, place] = data.statistics[statistic];
    const meaning = document.getElementById(place);
    const heading = document.createElement("b");
    heading.textContent = meaning.querySelector("b").textContent;
    const interval = low === null ? "" : `, ${percent} interval`;
    tip.replaceChildren(heading, line(`${name}, ${data.parts[part]}`, "soft"));
    tip.append(line(`${value === null ? "undefined" : number.textContent}${interval}; n = ${n.toLocaleString("en-US")}`));
    tip.append(line(meaning.querySelector("dd span").textContent));
    if (data.whys[why]) tip.append(line(`Note: ${data.whys[why]}.`));
    if (data.methods[method]) tip.append(line(data.methods[method], "soft"));
    tip.hidden = false;
    const at = number.getBoundingClientRect(), own = tip.getBoundingClientRect();
    const left = Math.min(Math.max(8, at.left), innerWidth - own.width - 8);
    const above = at.top - own.height - 8;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 4 ? above : at.bottom + 8}px`;
    number.setAttribute("aria-describedby", "tip");
    told = number;
  };

  const hush = () => {
    if (told) told.removeAttribute("aria-describedby");
    told = null;
    tip.hidden = true;
  };

  document.addEventListener("pointerover", (event) => {
    const number = event.target.closest?.("[data-e]");
    if (number) tell(number);
    else if (told && told !== document.activeElement) hush();
  });
  document.addEventListener("focusin", (event) => {
    const number = event.target.closest("[data-e]");
    if (number) tell(number);
    else hush();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hush();
  });
  addEventListener("scroll", () => { if (told && told !== document.activeElement) hush(); }, { passive: true });

  // ---- one stop for the tab key in each table, then the arrow keys
  const rove = (root) => {
    const numbers = all("[data-e]", root);
    numbers.forEach((number, i) => { number.tabIndex = i ? -1 : 0; });
  };
  const places = (table) => [...table.rows].map((row) => [...row.cells].map((cell) => (cell.dataset.e ? cell : null)));
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const moved = (table, number, [down, right]) => {
    const rows = places(table);
    let y = rows.findIndex((row) => row.includes(number));
    let x = rows[y].indexOf(number);
    for (;;) {
      y += down; x += right;
      if (!rows[y] || x < 0 || x >= rows[y].length) return null;
      if (rows[y][x]) return rows[y][x];
    }
  };
  all("table").forEach(rove);
  // a table that shows all its columns, and holds numbers to stop at, need not be a stop itself
  (window.requestIdleCallback ?? setTimeout)(() => all(".wide").forEach((box) => {
    if (box.scrollWidth <= box.clientWidth) box.removeAttribute("tabindex");
  }));
  all("span[data-e]").forEach((number) => { number.tabIndex = 0; });
  document.addEventListener("keydown", (event) => {
    const number = event.target.closest?.("td[data-e]");
    if (!number || !step[event.key]) return;
    const next = moved(number.closest("table"), number, step[event.key]);
    event.preventDefault();
    if (!next) return;
    number.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });

  // ---- tables sort and download
  const raw = (cell) => {
    if (cell.dataset.e) return data.rows[cell.dataset.e][2];
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v || cell.textContent);
    const text = cell.textContent.trim();
    return text === "–" ? null : text;
  };
  const order = (a, b) => {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  };
  const sort = (table, column, heading) => {
    const down = heading.getAttribute("aria-sort") === "ascending";
    all("thead th", table).forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const keyed = [...body.rows].map((row) => [raw(row.cells[column]), row]);
    keyed.sort(([a], [b]) => (a === null || b === null ? order(a, b) : (down ? -1 : 1) * order(a, b)));
    body.append(...keyed.map(([, row]) => row));
  };
  // what a spreadsheet would run as a formula gets an apostrophe, as in the CSV files of --out
  const inert = (text) => /^(['\t\r\n\0]|[\s\0]*[=+\-@＝＋－＠])/.test(text)
    && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? `'${text}` : text;
  const quoted = (value) => {
    const text = inert(value === null || value === undefined ? "" : String(value));
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const titleOf = (cell) => cell.dataset.title ?? cell.textContent.trim();
  const csv = (table) => {
    const body = [...table.tBodies].flatMap((part) => [...part.rows]);
    const estimates = [...table.tHead.rows[0].cells].map((_, i) =>
      body.some((row) => row.cells[i].dataset.e || row.cells[i].dataset.i));
    const head = [...table.tHead.rows[0].cells].flatMap((cell, i) =>
      estimates[i] ? ["", " low", " high"].map((end) => titleOf(cell) + end) : [titleOf(cell)]);
    const lines = body.map((row) => [...row.cells].flatMap((cell, i) => {
      if (!estimates[i]) return [raw(cell)];
      if (cell.dataset.e) return data.rows[cell.dataset.e].slice(2, 5);
      return [raw(cell), ...(cell.dataset.i ? cell.dataset.i.split(" ") : [null, null])];
    }));
    return [head, ...lines].map((row) => row.map(quoted).join(",")).join("\n") + "\n";
  };
  const save = (text, name, type) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const button = (text, label, act) => {
    const element = document.createElement("button");
    element.type = "button";
    element.className = "tool";
    element.textContent = text;
    element.setAttribute("aria-label", label);
    element.addEventListener("click", act);
    return element;
  };
  all("main table:not(.live)").forEach((table) => {
    const caption = table.caption.firstElementChild, title = caption.textContent;
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach((heading, i) => {
      if (heading.tagName !== "TH" || table.tBodies[0].rows.length < 2) return;
      heading.dataset.title = heading.textContent.trim();
      const sorter = document.createElement("button");
      sorter.type = "button";
      sorter.className = "sort";
      sorter.setAttribute("aria-label", `Sort by ${heading.dataset.title}`);
      sorter.addEventListener("click", () => sort(table, i, heading));
      heading.append(sorter);
    });
    caption.append(button("CSV", `Download as CSV: ${title}`, () => save(csv(table), `${table.id.replace(/^table-/, "")}.csv`, "text/csv")));
  });

  // ---- figures download as they are seen, with light colours of their own
  all("main figure").forEach((figure) => {
    const caption = figure.querySelector("figcaption");
    const title = caption.textContent;
    caption.append(button("SVG", `Download as SVG: ${title}`, () => {
      const shown = all("svg", figure).find((svg) => svg.getBoundingClientRect().width > 0);
      const copy = shown.cloneNode(true);
      copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
      const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
      style.textContent = document.getElementById("figure-style").textContent + ".fig-svg{display:block!important}";
      copy.prepend(style);
      save(new XMLSerializer().serializeToString(copy), `${figure.id}.svg`, "image/svg+xml");
    }));
  });

  // ---- a link leads into what is folded
  const unfold = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    let box = target && target.closest("details:not([open])");
    if (!box) return;
    for (; box; box = box.parentElement.closest("details:not([open])")) box.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  unfold();

  // ---- on paper nothing is folded
  addEventListener("beforeprint", () => all("details:not([open])").forEach((one) => {
    one.open = true;
    one.dataset.folded = "";
  }));
  addEventListener("afterprint", () => all("details[data-folded]").forEach((one) => {
    one.open = false;
    delete one.dataset.folded;
  }));

  // ---- the contents follow the reader
  const links = new Map(all("nav a").map((link) => [link.hash.slice(1), link]));
  const marks = all("main > section");
  const follow = () => {
    let now = "main";
    for (const section of marks) if (section.id && section.getBoundingClientRect().top < innerHeight / 3) now = section.id;
    for (const [id, link] of links) {
      if (id === now) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  let waiting = false;
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; follow(); });
  }, { passive: true });
  requestAnimationFrame(follow);

  // ---- the threshold moves by mouse and keys
  const whole = (number) => Math.round(number).toLocaleString("en-US");
  const money = (number) => number.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  all(".slider:not(.bench)").forEach((box) => {
    const own = data.sliders[box.id];
    const range = box.querySelector("input[type=range]");
    const prices = box.querySelector(".prices");
    const price = (name) => Math.max(0, Number(prices.elements[name].value) || 0);
    const place = (svg, i) => {
      const at = (name) => Number(svg.dataset[name]);
      const x = at("left") + ((own.coverage[i] - at("xmin")) / (at("xmax") - at("xmin"))) * (at("right") - at("left"));
      const y = (value) => at("bottom") - ((Math.min(value, at("ymax")) - at("ymin")) / (at("ymax") - at("ymin"))) * (at("bottom") - at("top"));
      const marker = svg.querySelector(".fig-marker");
      marker.setAttribute("transform", `translate(${x},0)`);
      marker.dataset.index = i;
      marker.querySelector(".fig-marker-risk")?.setAttribute("cy", y(own.rate[i] ?? 0));
      if (own.upper.length) marker.querySelector(".fig-marker-upper")?.setAttribute("cy", y(own.upper[i] ?? at("ymax")));
      svg.querySelector(".fig-accepted")?.setAttribute("width", Math.max(0, x - at("left")));
    };
    const show = () => {
      const i = Number(range.value), out = (key) => box.querySelector(`[data-out="${key}"]`);
      all("svg.fig-risk", box).forEach((svg) => place(svg, i));
      for (const [key, texts] of Object.entries(own.texts)) out(key).textContent = texts[i];
      range.setAttribute("aria-valuetext", `threshold ${own.texts.threshold[i]}, coverage ${own.texts.coverage[i]}, critical errors ${own.texts.rate[i]}`);
      const volume = price("volume"), cover = own.coverage[i], audit = Math.min(1, price("audit") / 100);
      const read = volume * (1 - cover + cover * audit);
      out("read").textContent = `${whole(read)} of ${whole(volume)}`;
      out("cost").textContent = `${money(volume * price("machine") + read * price("human"))} instead of ${money(volume * price("human"))}`;
      const most = own.upper.length && own.upper[i] !== null ? `, at most ${whole(Math.ceil(volume * cover * own.upper[i]))}` : "";
      out("errors").textContent = `${whole(volume * cover * (own.rate[i] ?? 0))}${most}`;
    };
    const drag = (event) => {
      const svg = event.target.closest("svg.fig-risk");
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      const at = (name) => Number(svg.dataset[name]);
      const x = at("xmin") + ((point.x - at("left")) / (at("right") - at("left"))) * (at("xmax") - at("xmin"));
      let best = 0;
      own.coverage.forEach((c, i) => { if (Math.abs(c - x) < Math.abs(own.coverage[best] - x)) best = i; });
      range.value = best;
      show();
    };
    all(".fig-hit", box).forEach((area) => {
      area.addEventListener("pointerdown", (event) => { area.setPointerCapture(event.pointerId); drag(event); });
      area.addEventListener("pointermove", (event) => { if (event.buttons & 1) drag(event); });
    });
    range.addEventListener("input", show);
    prices.addEventListener("input", show);
    prices.addEventListener("submit", (event) => event.preventDefault());
    all("[hidden]", box).forEach((element) => { element.hidden = false; });
    show();
  });
})();
