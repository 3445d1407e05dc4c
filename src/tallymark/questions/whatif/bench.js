// A table of counts that the reader moves: the moves and statistics of the what-if tables, computed here again.
(() => {
  const total = (list) => list.reduce((a, b) => a + b, 0);
  const rows = (table) => table.map(total);
  const columns = (table) => table[0].map((_, j) => total(table.map((row) => row[j])));
  const cells = (table, value) => total(table.map((row, i) => total(row.map((count, j) => value(count, i, j)))));

  const raised = (table, point, share) => {
    const now = rows(table)[point] / total(rows(table));
    return table.map((row, i) => row.map((count) => (count === 0 ? 0 : count * (i === point ? share / now : (1 - share) / (1 - now)))));
  };
  const scaled = (table, times) => table.map((row, i) => {
    const all = total(row), wrong = all - row[i];
    const factor = wrong > 0 ? Math.min(times, all / wrong) : 1;
    return row.map((count, j) => (i === j ? all - wrong * factor : count * factor));
  });
  const moved = (table, source, target, share) => {
    const amount = share * table[source][source];
    return table.map((row, i) => row.map((count, j) => (i === j ? count - (i === source ? amount : 0) + (i === target ? amount : 0) : count)));
  };
  const merged = (table, points, bins) => {
    const place = points.map((_, i) => Math.floor(((2 * i + 1) * bins) / (2 * points.length)));
    const within = [...Array(bins).keys()].map((bin) => points.map((_, i) => i).filter((i) => place[i] === bin));
    return {
      table: within.map((above) => within.map((beside) => total(above.map((i) => total(beside.map((j) => table[i][j])))))),
      points: within.map((inside) => total(inside.map((i) => points[i])) / inside.length),
    };
  };

  const statistics = (table, points, error) => {
    const n = total(rows(table)), first = rows(table).map((count) => count / n), second = columns(table).map((count) => count / n);
    const shares = first.map((share, i) => (share + second[i]) / 2), k = points.length;
    const distance = (power) => (i, j) => (Math.abs(points[i] - points[j]) / (points[k - 1] - points[0])) ** power;
    const seen = (d) => cells(table, (count, i, j) => (count / n) * d(i, j));
    const drawn = (d, a, b) => cells(table, (_, i, j) => a[i] * b[j] * d(i, j));
    const kappa = (d) => 1 - seen(d) / drawn(d, first, second);
    const linear = distance(1), quadratic = distance(2);
    const alike = total(shares.map((share) => share * (1 - share))) / (k * (k - 1));
    const chance = alike * cells(table, (_, i, j) => 1 - quadratic(i, j));
    const mean = total(first.map((share, i) => share * points[i]));
    const spread = total(first.map((share, i) => share * (points[i] - mean) ** 2));
    return {
      "cohen_kappa[quadratic]": kappa(quadratic),
      "cohen_kappa[linear]": kappa(linear),
      "gwet_ac[quadratic]": (1 - seen(quadratic) - chance) / (1 - chance),
      "krippendorff_alpha[interval]": 1 - ((1 - 1 / (2 * n)) * seen(quadratic)) / drawn(quadratic, shares, shares),
      "percent_agreement": cells(table, (count, i, j) => (i === j ? count / n : 0)),
      "ceiling": error !== null && error < spread ? Math.sqrt(1 - error / spread) : NaN,
    };
  };

  const written = (value) => (Number.isFinite(value) ? value.toFixed(3).replace(/^(-?)0\./, "$1.").replace("-", "−") : "undefined");
  const benches = JSON.parse(document.getElementById("numbers").textContent).benches;
  document.querySelectorAll(".bench").forEach((box) => {
    const own = benches[box.id], form = box.querySelector("form");
    const control = (key) => form.elements[key];
    const number = (key) => Number(control(key).value);
    const start = () => {
      control("share").value = total(own.counts[number("point")]) / total(rows(own.counts));
    };
    const show = () => {
      const now = total(own.counts[number("point")]) / total(rows(own.counts));
      const untouched = Math.abs(number("share") - now) < 0.0051;
      let table = untouched ? own.counts : raised(own.counts, number("point"), number("share"));
      table = moved(scaled(table, number("errors")), number("source"), number("target"), number("moved"));
      const bins = number("points"), coarse = merged(table, own.points, bins);
      const numbers = statistics(coarse.table, coarse.points, own.errors[bins] ?? null);
      for (const [key, value] of Object.entries(numbers)) {
        const out = box.querySelector(`[data-out="${key}"]`);
        if (!out) continue;
        out.textContent = written(value);
        out.dataset.value = String(value);
      }
      const leading = numbers[own.leading];
      box.querySelector('[data-out="limit"]').textContent = Number.isFinite(leading) ? `${leading >= own.limit ? "at or above" : "below"} ${written(own.limit)}` : "undefined";
      form.querySelectorAll("output").forEach((out) => { out.textContent = control(out.dataset.of).value.replace(/^(\d*\.\d\d)\d+$/, "$1"); });
      const body = box.querySelector("tbody"), labels = bins === own.labels.length ? own.labels : coarse.points.map(String);
      body.replaceChildren(...coarse.table.map((row, i) => {
        const line = document.createElement("tr"), head = document.createElement("th");
        head.scope = "row";
        head.textContent = labels[i];
        line.append(head, ...row.map((count) => { const cell = document.createElement("td"); cell.textContent = count.toFixed(Number.isInteger(count) ? 0 : 1); return cell; }));
        return line;
      }));
      const heads = box.querySelector("thead tr");
      heads.replaceChildren(heads.firstElementChild, ...labels.map((label) => { const head = document.createElement("th"); head.scope = "col"; head.textContent = label; return head; }));
    };
    control("point").addEventListener("change", start);
    form.addEventListener("input", show);
    form.addEventListener("change", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => { start(); show(); }));
    box.querySelectorAll("[hidden]").forEach((element) => { element.hidden = false; });
    start();
    show();
  });
})();
