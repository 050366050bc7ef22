// Runs the logic of the labelling page without a page. Usage: node page-logic.js PAGE.JS; ends with status 1 at the first thing that is wrong.
'use strict';
const assert = require('assert');
const Audit = require(require('path').resolve(process.argv[2]));

const data = {
  sample: 's1',
  decisions: [{id: 'a', kind: 'verdict'}, {id: 'b', kind: 'verdict'}, {id: 'c', kind: 'shape'}],
  answers: {verdict: [['pass', ''], ['fail', ''], ['cannot-tell', '']], shape: [...'ABCDEFGHIJKLMNOPQRSTU'].map(word => [word, ''])}
};
const kept = {};
const store = {get: key => kept[key] || null, set: (key, text) => { kept[key] = text; }};

let audit = Audit.create(data, store);
assert.strictEqual(audit.key('1'), false, 'nobody labels without a name');
assert.strictEqual(audit.name('   '), false);
assert.strictEqual(audit.name('x'.repeat(61)), false);
assert.ok(audit.name(' Ada  L '));
assert.strictEqual(audit.labeller, 'Ada L');

assert.ok(audit.key('2'), 'second answer');
assert.strictEqual(audit.id, 'b', 'on to the next');
assert.ok(!audit.key('4'), 'no fourth answer');
assert.ok(!audit.key('x'));
assert.strictEqual(audit.count, 1);

// Saved as it goes: a page that is closed now and opened again goes on here, without asking for the name.
audit = Audit.create(data, store);
assert.strictEqual(audit.labeller, 'Ada L');
assert.strictEqual(audit.id, 'b');
assert.ok(audit.key('p'));
assert.strictEqual(audit.label(), 'fail');
assert.ok(audit.key('p') && audit.id === 'a', 'no further back');
assert.ok(audit.key('n') && audit.key('n') && audit.id === 'c');
assert.ok(audit.key('n') && audit.id === 'c', 'no further on');
assert.deepStrictEqual(audit.answers().map(a => a.key).join(''), '123456789abcdefghijkl');
assert.ok(audit.key('b'));
assert.strictEqual(audit.id, 'b', 'what was left out comes again');
audit.write('=evil, "quoted"\nsecond');
assert.strictEqual(audit.label(), '', 'a note is no label');
assert.ok(audit.key('1'));
assert.strictEqual(audit.count, 3);
assert.strictEqual(audit.csv(), 'sample,decision,labeller,label,note\ns1,a,Ada L,fail,\ns1,b,Ada L,pass,"\'=evil, ""quoted"" second"\ns1,c,Ada L,K,\n');

assert.ok(audit.key('u'));
assert.strictEqual(audit.id, 'b');
assert.strictEqual(audit.label(), '');
assert.strictEqual(audit.note(), '=evil, "quoted"\nsecond', 'undo keeps the note');
assert.strictEqual(audit.count, 2);
assert.ok(audit.key('u'));
assert.strictEqual(audit.count, 1);
assert.ok(!audit.key('u'), 'what was labelled before the page was opened is not undone');

// Another person starts anew, and the first one's labels stay.
assert.ok(audit.name('Bob'));
assert.strictEqual(audit.count, 0);
assert.ok(audit.key('1'));
assert.ok(audit.name('Ada L'));
assert.strictEqual(audit.count, 1);
assert.strictEqual(audit.csv().split('\n')[1], 's1,a,Ada L,fail,');

// A file is taken up whole or not at all.
const head = 'sample,decision,labeller,label,note\n';
assert.match(audit.take('x,y\n'), /no file of labels/);
assert.match(audit.take(head + 's2,a,Ada L,fail,\n'), /line 2: of another sample/);
assert.match(audit.take(head + 's1,b,Bob,fail,\n'), /line 2: by Bob/);
assert.match(audit.take(head + 's1,z,Ada L,fail,\n'), /line 2: no such decision/);
assert.match(audit.take(head + 's1,b,Ada L,K,\n'), /line 2: no such answer/);
assert.match(audit.take(head + 's1,b,Ada L,pass,\ns1,a,Ada L,pass,\n'), /line 3: this page has fail, the file pass/);
assert.strictEqual(audit.count, 1, 'nothing of a bad file was taken');
assert.strictEqual(audit.take('\uFEFF' + head.trim() + '\r\ns1,b,Ada L,pass,"a ""b"", c"\r\n'), '');
assert.strictEqual(audit.count, 2);
assert.strictEqual(audit.csv(), head + 's1,a,Ada L,fail,\ns1,b,Ada L,pass,"a ""b"", c"\n');

// A note that was made harmless for spreadsheets comes back as it was written.
audit.write("'=1+1");
assert.strictEqual(audit.take(audit.csv()), '');
const noted = audit.csv();
assert.strictEqual(audit.take(noted), '');
assert.strictEqual(audit.csv(), noted);

// The page is open twice: neither loses what was answered in the other.
const one = Audit.create(data, store);
const two = Audit.create(data, store);
one.move(-5);
assert.strictEqual(one.id, 'a');
one.move(2);
assert.ok(one.id === 'c' && one.answer('B'));
two.move(-5);
assert.ok(two.id === 'a' && two.answer('cannot-tell'));
assert.strictEqual(Audit.create(data, store).count, 3);
assert.match(one.csv(), /s1,a,Ada L,cannot-tell,\n/);
assert.match(two.csv(), /s1,c,Ada L,B,\n/);
assert.ok(two.undo());
assert.match(one.csv(), /s1,a,Ada L,fail,\n[^]*s1,c,Ada L,B,/);
console.log('page logic as expected');
