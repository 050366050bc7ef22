'use strict';
// The logic of the labelling page. It knows nothing of the page, so that a test can run it by itself; what touches the page stands below.
const Audit = (() => {
  const KEYS = '123456789abcdefghijklmoqrstvwxyz';
  const HEADER = 'sample,decision,labeller,label,note';

  // data: {sample, decisions: [{id, kind}], answers: {kind: [[word, meaning]]}}; store: get(key), set(key, text)
  function create(data, store) {
    const where = 'mcp-prober-audit/' + data.sample;
    const kinds = new Map(data.decisions.map(d => [d.id, d.kind]));
    let labeller = store.get(where) || '';
    let labels = {};
    let at = 0;
    const done = [];

    function load() {
      labels = kept();
      done.length = 0;
      at = Math.max(0, data.decisions.findIndex(d => !labelled(d.id)));
    }
    function labelled(id) {
      return Boolean(labels[id] && labels[id].label);
    }
    function kept() {
      const text = labeller && store.get(where + '/' + labeller);
      return text ? JSON.parse(text) : {};
    }
    // The same page may be open twice: what was answered there since is kept, and only what is answered here goes over it.
    function save(changed) {
      labels = Object.assign(kept(), changed);
      for (const id of Object.keys(labels)) {
        if (!labels[id]) {
          delete labels[id];
        }
      }
      store.set(where + '/' + labeller, JSON.stringify(labels));
    }
    function words(id) {
      return data.answers[kinds.get(id)].map(answer => answer[0]);
    }
    const audit = {
      get labeller() { return labeller; },
      get index() { return at; },
      get id() { return data.decisions[at].id; },
      get total() { return data.decisions.length; },
      get count() { return data.decisions.filter(d => labelled(d.id)).length; },
      answers: () => data.answers[kinds.get(audit.id)].map((answer, i) => ({key: KEYS[i], word: answer[0], meaning: answer[1]})),
      label: () => (labels[audit.id] || {}).label || '',
      note: () => (labels[audit.id] || {}).note || '',
      name(who) {
        const name = who.trim().replace(/\s+/g, ' ');
        if (!name || name.length > 60) {
          return false;
        }
        labeller = name;
        store.set(where, labeller);
        load();
        return true;
      },
      answer(word) {
        if (!labeller || !words(audit.id).includes(word)) {
          return false;
        }
        done.push([audit.id, labels[audit.id]]);
        save({[audit.id]: {label: word, note: audit.note()}});
        // To the next one that is open; round the end, so that what was left out comes again.
        for (let step = 1; step <= audit.total; step++) {
          const next = (at + step) % audit.total;
          if (!labelled(data.decisions[next].id)) {
            at = next;
            break;
          }
        }
        return true;
      },
      write(note) {
        save({[audit.id]: {label: audit.label(), note}});
      },
      move(by) {
        at = Math.min(audit.total - 1, Math.max(0, at + by));
      },
      undo() {
        const last = done.pop();
        if (!last) {
          return false;
        }
        save({[last[0]]: last[1]});
        at = data.decisions.findIndex(d => d.id === last[0]);
        return true;
      },
      // Returns true where the key did something.
      key(key) {
        if (key === 'n' || key === 'ArrowRight') {
          audit.move(1);
          return true;
        } else if (key === 'p' || key === 'ArrowLeft') {
          audit.move(-1);
          return true;
        } else if (key === 'u') {
          return audit.undo();
        }
        const answer = audit.answers().find(a => a.key === key);
        return Boolean(answer) && audit.answer(answer.word);
      },
      csv() {
        save({});
        const rows = data.decisions.filter(d => labelled(d.id)).map(d => [data.sample, d.id, labeller, labels[d.id].label, labels[d.id].note || '']);
        return HEADER + '\n' + rows.map(row => row.map(cell).join(',') + '\n').join('');
      },
      // Takes up what an earlier csv() of the same labeller gave; returns what is wrong, or nothing.
      take(text) {
        const lines = parse(text.replace(/^\uFEFF/, ''));
        if (!lines.length || lines[0].join(',') !== HEADER) {
          return 'this is no file of labels of this page';
        }
        const taken = {};
        for (const [i, row] of lines.slice(1).entries()) {
          const line = 'line ' + (i + 2) + ': ';
          if (row.length !== 5 || row[0] !== data.sample) {
            return line + 'of another sample';
          } else if (row[2] !== labeller) {
            return line + 'by ' + row[2] + ', and this is ' + labeller;
          } else if (!kinds.has(row[1])) {
            return line + 'no such decision';
          } else if (!words(row[1]).includes(row[3])) {
            return line + 'no such answer';
          } else if (labelled(row[1]) && labels[row[1]].label !== row[3]) {
            return line + 'this page has ' + labels[row[1]].label + ', the file ' + row[3];
          }
          taken[row[1]] = {label: row[3], note: row[4].replace(/^'/, '')};
        }
        save(taken);
        return '';
      }
    };
    load();
    return audit;
  }

  function cell(text) {
    const line = text.replace(/[\u0000-\u001f\u007f]+/g, ' ');
    const safe = /^\s*[=+\-@']/.test(line) ? "'" + line : line;
    return /[",]/.test(safe) ? '"' + safe.replace(/"/g, '""') + '"' : safe;
  }

  function parse(text) {
    const rows = [];
    let row = [];
    let value = '';
    let quoted = false;
    for (let i = 0; i < text.length; i++) {
      const c = text[i];
      if (quoted) {
        if (c === '"' && text[i + 1] === '"') {
          value += c;
          i++;
        } else if (c === '"') {
          quoted = false;
        } else {
          value += c;
        }
      } else if (c === '"') {
        quoted = true;
      } else if (c === ',') {
        row.push(value);
        value = '';
      } else if (c === '\n') {
        rows.push(row.concat(value.replace(/\r$/, '')));
        row = [];
        value = '';
      } else {
        value += c;
      }
    }
    if (value || row.length) {
      rows.push(row.concat(value));
    }
    return rows;
  }

  return {create};
})();

if (typeof module !== 'undefined') {
  module.exports = Audit;
}

if (typeof document !== 'undefined') {
  const $ = id => document.getElementById(id);
  const say = text => { $('say').textContent = text; };
  const memory = {};
  const store = {
    get(key) {
      if (key in memory) {
        return memory[key];
      }
      try {
        return localStorage.getItem(key);
      } catch (e) {
        return null;
      }
    },
    set(key, text) {
      try {
        localStorage.setItem(key, text);
      } catch (e) {
        memory[key] = text;
        say('This browser keeps nothing when the page closes: download your labels before you leave.');
      }
    }
  };
  const audit = Audit.create(JSON.parse($('data').textContent), store);
  let shown = null;

  function show() {
    $('ask').hidden = Boolean(audit.labeller);
    $('work').hidden = !audit.labeller;
    if (!audit.labeller) {
      $('name').focus();
      return;
    }
    if (shown) {
      shown.hidden = true;
    }
    shown = $('d-' + audit.id);
    shown.hidden = false;
    $('who').textContent = audit.labeller;
    $('place').textContent = (audit.index + 1) + ' of ' + audit.total;
    $('count').textContent = audit.count + ' labelled, ' + (audit.total - audit.count) + ' to go';
    $('bar').max = audit.total;
    $('bar').value = audit.count;
    $('note').value = audit.note();
    const list = $('answers');
    list.textContent = '';
    for (const answer of audit.answers()) {
      const button = document.createElement('button');
      const key = document.createElement('kbd');
      key.textContent = answer.key;
      const word = document.createElement('b');
      word.textContent = answer.word;
      const meaning = document.createElement('span');
      meaning.textContent = answer.meaning;
      button.append(key, word, meaning);
      button.type = 'button';
      button.dataset.word = answer.word;
      button.setAttribute('aria-pressed', String(audit.label() === answer.word));
      button.addEventListener('click', () => act(() => audit.answer(answer.word)));
      list.append(button);
    }
  }

  function act(what) {
    const note = $('note').value;
    if (audit.labeller && note !== audit.note()) {
      audit.write(note);
    }
    say('');
    what();
    show();
    if (audit.labeller && audit.count === audit.total) {
      say('All are labelled: download your labels.');
    }
  }

  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || !audit.labeller) {
      return;
    }
    if (event.target === $('note')) {
      if (event.key === 'Enter' || event.key === 'Escape') {
        $('note').blur();
        act(() => {});
      }
      return;
    }
    if (event.key === '/') {
      $('note').focus();
      event.preventDefault();
      return;
    }
    act(() => {
      if (audit.key(event.key)) {
        event.preventDefault();
        window.scrollTo(0, 0);
      }
    });
  });
  $('begin').addEventListener('submit', event => {
    event.preventDefault();
    if (audit.name($('name').value)) {
      show();
      document.activeElement.blur();
    }
  });
  $('note').addEventListener('change', () => act(() => {}));
  $('previous').addEventListener('click', () => act(() => audit.move(-1)));
  $('next').addEventListener('click', () => act(() => audit.move(1)));
  $('undo').addEventListener('click', () => act(() => audit.undo()));
  $('other').addEventListener('click', () => {
    $('ask').hidden = false;
    $('work').hidden = true;
    $('name').focus();
  });
  $('download').addEventListener('click', () => act(() => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([audit.csv()], {type: 'text/csv'}));
    link.download = 'labels-' + audit.labeller.replace(/[^A-Za-z0-9]+/g, '-') + '.csv';
    link.click();
  }));
  $('file').addEventListener('change', async () => {
    const wrong = audit.take(await $('file').files[0].text());
    show();
    say(wrong ? 'Nothing was taken: ' + wrong : 'Taken.');
    $('file').value = '';
  });
  show();
}
