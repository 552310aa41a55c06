'use strict';
(() => {
  const root = document.documentElement;
  const make = (name, attributes, text) => {
    const element = document.createElement(name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const svgMake = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  };

  const addThemeSwitch = () => {
    const button = make('button', {type: 'button', class: 'theme'});
    const isDark = () => root.dataset.theme === 'dark' ||
        (!root.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);
    const say = () => { button.textContent = isDark() ? 'Light colours' : 'Dark colours'; };
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      say();
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', say);
    say();
    document.querySelector('header').prepend(button);
  };

  // The numbers behind a chart are the rows of its table.
  const readRows = (figure) => {
    const table = figure.querySelector('table');
    const names = [...table.tHead.rows[0].cells].slice(1).map((cell) => cell.textContent);
    const rows = [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent));
    return {names, rows: rows.filter((row) => Number.isFinite(Number(row[0])))};
  };

  const niceTicks = (low, high) => {
    const raw = (high - low) / 7, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw) || raw;
    const ticks = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
      ticks.push(Number((k * step).toPrecision(12)));
    }
    return ticks;
  };

  const enhance = (figure) => {
    const data = figure.querySelector('svg.data');
    if (!data || figure.querySelectorAll('svg.data').length > 1) return;
    const {names, rows} = readRows(figure);
    if (rows.length < 2) return;
    const full = [Number(data.dataset.x0), Number(data.dataset.x1)];
    const view = [...full];
    const width = Number(data.getAttribute('width')), height = Number(data.getAttribute('height'));
    const left = Number(data.getAttribute('x'));
    const toPixel = (x) => (x - full[0]) / (full[1] - full[0]) * width;
    const line = svgMake('line', {class: 'cursor', y1: 0, y2: height, visibility: 'hidden'});
    data.append(line);

    const tools = make('div', {class: 'tools'});
    const label = (figure.querySelector('svg title') || {}).textContent || 'chart';
    const slider = make('input', {type: 'range', min: 0, max: rows.length - 1, value: rows.length - 1,
                                  'aria-label': 'Cursor on ' + label});
    const output = make('output', {}, '');
    const first = figure.querySelector('thead th').textContent;
    const show = () => {
      const row = rows[Number(slider.value)];
      const x = toPixel(Number(row[0]));
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
      line.setAttribute('visibility', 'visible');
      const text = first + ' ' + row[0] + ': ' + names.map((name, i) => name + ' ' + row[i + 1]).join(', ');
      output.textContent = text;
      slider.setAttribute('aria-valuetext', text);
    };
    slider.addEventListener('input', show);
    figure.querySelector('.chart').addEventListener('pointermove', (event) => {
      const box = data.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      if (share < 0 || share > 1) return;
      const x = view[0] + share * (view[1] - view[0]);
      let best = 0;
      rows.forEach((row, i) => {
        if (Math.abs(Number(row[0]) - x) < Math.abs(Number(rows[best][0]) - x)) best = i;
      });
      slider.value = best;
      show();
    });

    const redraw = () => {
      const x0 = toPixel(view[0]), x1 = toPixel(view[1]);
      data.setAttribute('viewBox', x0 + ' 0 ' + (x1 - x0) + ' ' + height);
      const ticks = figure.querySelector('.xt');
      const sample = ticks.querySelector('text'), y = sample.getAttribute('y');
      ticks.replaceChildren();
      for (const value of niceTicks(view[0], view[1])) {
        const x = left + (value - view[0]) / (view[1] - view[0]) * width;
        const mark = svgMake('line', {class: 'ax', x1: x, x2: x, y1: Number(y) - 16, y2: Number(y) - 12});
        const text = svgMake('text', {class: 'tm', x, y, 'text-anchor': 'middle'});
        text.textContent = String(value);
        ticks.append(mark, text);
      }
    };
    const zoom = (factor) => {
      const centre = Math.min(Math.max(Number(rows[Number(slider.value)][0]), view[0]), view[1]);
      const length = Math.min((view[1] - view[0]) * factor, full[1] - full[0]);
      view[0] = Math.min(Math.max(centre - length / 2, full[0]), full[1] - length);
      view[1] = view[0] + length;
      redraw();
    };
    tools.append(slider);
    for (const [text, name, factor] of [['+', 'Zoom in on ', 0.5], ['−', 'Zoom out of ', 2], ['Whole', 'Show the whole of ', 1e9]]) {
      const button = make('button', {type: 'button', 'aria-label': name + label}, text);
      button.addEventListener('click', () => zoom(factor));
      tools.append(button);
    }
    const series = [...data.querySelectorAll('[data-s]')];
    if (series.length > 1) {
      for (const group of series) {
        const button = make('button', {type: 'button', 'aria-pressed': 'true'}, group.dataset.name);
        button.addEventListener('click', () => {
          const hidden = group.classList.toggle('hidden');
          button.setAttribute('aria-pressed', String(!hidden));
        });
        tools.append(button);
      }
    }
    tools.append(output);
    figure.querySelector('.chart').after(tools);
  };
  const enhanceAll = (element) => {
    if (element.matches('figure[data-cursor]')) enhance(element);
    element.querySelectorAll('figure[data-cursor]').forEach(enhance);
  };

  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open])')];
    opened.forEach((details) => { details.open = true; });
  });
  addEventListener('afterprint', () => opened.forEach((details) => { details.open = false; }));

  // Watching: lines of JSON from the byte that this page already has.
  const watch = (from) => {
    const status = document.getElementById('live');
    const apply = ({id, after, html}) => {
      const old = document.getElementById(id);
      if (html === undefined) {
        if (old) old.remove();
        return;
      }
      const template = document.createElement('template');
      template.innerHTML = html;
      const fresh = template.content.firstElementChild;
      const open = old ? [...old.querySelectorAll('details[open] > summary')].map((s) => s.textContent) : [];
      fresh.querySelectorAll('details > summary').forEach((s) => {
        if (open.includes(s.textContent)) s.parentElement.open = true;
      });
      const before = after && document.getElementById(after);
      if (old) old.replaceWith(fresh);
      else if (before) before.after(fresh);
      else document.querySelector('main').prepend(fresh);
      enhanceAll(fresh);
    };
    const poll = async () => {
      try {
        const answer = await fetch('changes?from=' + from, {cache: 'no-store'});
        if (answer.status === 410) {
          location.reload();
          return;
        }
        if (!answer.ok) throw new Error(answer.status);
        const bytes = new Uint8Array(await answer.arrayBuffer());
        from += bytes.length;
        for (const text of new TextDecoder().decode(bytes).split('\n')) if (text) apply(JSON.parse(text));
        status.textContent = 'watching';
        status.className = '';
      } catch (error) {
        status.textContent = 'the server does not answer; trying again';
        status.className = 'stale';
      }
      setTimeout(poll, 1000);
    };
    poll();
  };

  addThemeSwitch();
  enhanceAll(document.body);
  const live = document.querySelector('meta[name=algprior-from]');
  if (live) watch(Number(live.content));
})();
