import type { DomainPrompt } from './domain-prompt.ts'

const plainJavaScript = 'Write plain JavaScript without imports, and reply with one code block.'

/** Functions and classes to write. */
export const codeTasks: readonly DomainPrompt[] = [
  {
    id: 'code-count-vowels',
    grade: 1,
    prompt: `Write a function countVowels(text) that returns how many of the letters a, e, i, o and u a text contains, in either case. ${plainJavaScript}`,
    check: {
      type: 'tests',
      entry: 'countVowels',
      cases: [
        { run: 'countVowels("Modelport")', expected: 3 },
        { run: 'countVowels("AEIOU and y")', expected: 6 },
        { run: 'countVowels("")', expected: 0 },
        { run: 'countVowels("rhythm")', expected: 0 },
      ],
    },
  },
  {
    id: 'code-title-case',
    grade: 1,
    prompt: `Write a function titleCase(text) that makes the first letter of each word a capital and all its other letters lower case. Words are separated by single spaces. ${plainJavaScript}`,
    check: {
      type: 'tests',
      entry: 'titleCase',
      cases: [
        { run: 'titleCase("the QUICK brown fox")', expected: 'The Quick Brown Fox' },
        { run: 'titleCase("a")', expected: 'A' },
        { run: 'titleCase("")', expected: '' },
        { run: 'titleCase("mcDONALD o neil")', expected: 'Mcdonald O Neil' },
      ],
    },
  },
  {
    id: 'code-last-items',
    grade: 2,
    prompt: `Write a function lastItems(list, count) that returns the last count items of a list as a new list: all items if the list is shorter, none if count is 0. It does not change its input. ${plainJavaScript}`,
    check: {
      type: 'tests',
      entry: 'lastItems',
      cases: [
        { run: 'lastItems([1, 2, 3, 4], 2)', expected: [3, 4] },
        { run: 'lastItems([1, 2, 3], 0)', expected: [] },
        { run: 'lastItems([1, 2], 5)', expected: [1, 2] },
        {
          run: '(() => { const list = [1, 2]; lastItems(list, 1); return list })()',
          expected: [1, 2],
        },
        {
          run: '(() => { const list = [1]; return lastItems(list, 1) === list })()',
          expected: false,
        },
      ],
    },
  },
  {
    id: 'code-merge-intervals',
    grade: 2,
    prompt: `Write a function mergeIntervals(intervals) that takes a list of [start, end] pairs in any order and returns the merged intervals, sorted by start. Intervals that only touch, such as [1, 2] and [2, 3], are merged too. The input is not changed. ${plainJavaScript}`,
    check: {
      type: 'tests',
      entry: 'mergeIntervals',
      cases: [
        {
          run: 'mergeIntervals([[5, 7], [1, 3], [2, 4]])',
          expected: [
            [1, 4],
            [5, 7],
          ],
        },
        { run: 'mergeIntervals([[1, 2], [2, 3]])', expected: [[1, 3]] },
        { run: 'mergeIntervals([[1, 10], [2, 3], [4, 5]])', expected: [[1, 10]] },
        {
          run: 'mergeIntervals([[10, 12], [9, 9], [2, 3]])',
          expected: [
            [2, 3],
            [9, 9],
            [10, 12],
          ],
        },
        { run: 'mergeIntervals([])', expected: [] },
        {
          run: '(() => { const list = [[3, 4], [1, 3]]; mergeIntervals(list); return list })()',
          expected: [
            [3, 4],
            [1, 3],
          ],
        },
      ],
    },
  },
  {
    id: 'code-parse-csv',
    grade: 3,
    prompt: `Write a function parseCsv(text) that returns the rows of a CSV text as a list of lists of strings. Fields are separated by commas. A field in double quotes may contain commas, line breaks and doubled double quotes (which stand for one). Lines end with \\n or \\r\\n; a line break at the very end of the text adds no row. Empty fields are empty strings, and spaces are kept. ${plainJavaScript}`,
    check: {
      type: 'tests',
      entry: 'parseCsv',
      cases: [
        {
          run: String.raw`parseCsv("a,b\nc,d")`,
          expected: [
            ['a', 'b'],
            ['c', 'd'],
          ],
        },
        {
          run: String.raw`parseCsv("a,b\r\nc,d\r\n")`,
          expected: [
            ['a', 'b'],
            ['c', 'd'],
          ],
        },
        { run: String.raw`parseCsv('"x, y","say ""hi""",')`, expected: [['x, y', 'say "hi"', '']] },
        { run: String.raw`parseCsv('"two\nlines",1\n')`, expected: [['two\nlines', '1']] },
        {
          run: String.raw`parseCsv(",\n , ")`,
          expected: [
            ['', ''],
            [' ', ' '],
          ],
        },
        { run: String.raw`parseCsv('"",""""')`, expected: [['', '"']] },
      ],
    },
  },
  {
    id: 'code-lru-cache',
    grade: 3,
    prompt: `Write a class LruCache. new LruCache(capacity) creates it; set(key, value) stores a value; get(key) returns the value, or undefined if there is none; keys() returns a list of all keys from the least to the most recently used. Both set and a successful get make their key the most recently used. When there are more keys than the capacity, the least recently used one is removed. Any value may be a key or a value, including undefined as a value. ${plainJavaScript}`,
    check: {
      type: 'tests',
      entry: 'LruCache',
      cases: [
        {
          run: '(() => { const c = new LruCache(2); c.set("a", 1); c.set("b", 2); c.get("a"); c.set("c", 3); return c.keys() })()',
          expected: ['a', 'c'],
        },
        {
          run: '(() => { const c = new LruCache(2); c.set("a", 1); c.set("b", 2); c.set("a", 5); c.set("c", 3); return [c.keys(), c.get("a"), c.get("b") ?? null] })()',
          expected: [['a', 'c'], 5, null],
        },
        {
          run: '(() => { const c = new LruCache(2); c.set("a", undefined); c.set("b", 0); c.get("a"); c.set("c", 1); return c.keys() })()',
          expected: ['a', 'c'],
        },
        {
          run: '(() => { const c = new LruCache(2); c.set(1, "number"); c.set("1", "text"); c.get("missing"); return [c.get(1), c.get("1"), c.keys()] })()',
          expected: ['number', 'text', [1, '1']],
        },
      ],
    },
  },
  {
    id: 'code-map-limit',
    grade: 3,
    prompt: `Write an async function mapLimit(items, limit, transform). It calls the async function transform for each item, with at most limit calls running at the same time, starts the next one as soon as any running one finishes, and resolves to the results in the order of the items. If a call rejects, mapLimit rejects with the same error. ${plainJavaScript}`,
    check: {
      type: 'tests',
      entry: 'mapLimit',
      cases: [
        {
          run: '(async () => { let running = 0, most = 0; const results = await mapLimit([1, 2, 3, 4, 5], 2, async (n) => { running++; most = Math.max(most, running); for (let i = 0; i < n; i++) await null; running--; return n * 10 }); return [results, most] })()',
          expected: [[10, 20, 30, 40, 50], 2],
        },
        {
          run: '(async () => { const finished = []; await mapLimit([60, 1, 1, 1], 2, async (ticks) => { for (let i = 0; i < ticks; i++) await null; finished.push(ticks) }); return finished })()',
          expected: [1, 1, 1, 60],
        },
        { run: 'mapLimit([], 3, async (n) => n)', expected: [] },
        {
          run: 'mapLimit([1, 2, 3], 5, async (n) => { if (n === 2) throw new Error("two"); return n }).catch((error) => error.message)',
          expected: 'two',
        },
      ],
    },
  },
  {
    id: 'code-evaluate',
    grade: 3,
    prompt: `Write a function evaluate(text) that computes an arithmetic expression with decimal numbers, + - * /, parentheses, unary minus and spaces, with the usual precedence, and returns a number. It throws an Error for anything else, including an empty text. Do not use eval or Function. ${plainJavaScript}`,
    check: {
      type: 'tests',
      entry: 'evaluate',
      cases: [
        { run: 'evaluate("2 + 3 * 4")', expected: 14 },
        { run: 'evaluate("(2 + 3) * 4 - 6 / 3")', expected: 18 },
        { run: 'evaluate("10 - 4 - 3")', expected: 3 },
        { run: 'evaluate("16 / 4 / 2")', expected: 2 },
        { run: 'evaluate("-(1.5 + 2) * -2")', expected: 7 },
        { run: 'evaluate("2 * -3")', expected: -6 },
        ...['', '2 +', '(1', '1)', '2 ** 3', '1 2', 'abc', '()'].map((text) => ({
          run: `(() => { try { evaluate(${JSON.stringify(text)}) } catch (error) { return error instanceof Error } return "no error" })()`,
          expected: true,
        })),
      ],
    },
  },
  {
    id: 'code-compare-versions',
    grade: 4,
    prompt: `Write a function compareVersions(a, b) that compares two valid Semantic Versioning 2.0.0 versions by their precedence and returns -1, 0 or 1. It handles pre-release identifiers and build metadata as the specification defines, and numbers of any length. ${plainJavaScript}`,
    check: {
      type: 'tests',
      entry: 'compareVersions',
      cases: [
        { run: 'compareVersions("1.2.10", "1.2.9")', expected: 1 },
        { run: 'compareVersions("1.0.0-alpha", "1.0.0")', expected: -1 },
        { run: 'compareVersions("1.0.0-alpha", "1.0.0-alpha.1")', expected: -1 },
        { run: 'compareVersions("1.0.0-alpha.1", "1.0.0-alpha.beta")', expected: -1 },
        { run: 'compareVersions("1.0.0-beta.11", "1.0.0-beta.2")', expected: 1 },
        { run: 'compareVersions("1.0.0-rc.1+build.5", "1.0.0-rc.1+other")', expected: 0 },
        { run: 'compareVersions("1.0.0+a-b", "1.0.0")', expected: 0 },
        { run: 'compareVersions("1.0.0-a-b", "1.0.0-a.b")', expected: 1 },
        { run: 'compareVersions("1.0.0-Z", "1.0.0-a")', expected: -1 },
        {
          run: 'compareVersions("1.0.90071992547409921", "1.0.90071992547409920")',
          expected: 1,
        },
        { run: 'compareVersions("1.0.0-1a", "1.0.0-2")', expected: 1 },
      ],
    },
  },
  {
    id: 'code-add-decimals',
    grade: 4,
    prompt: `Write a function addDecimals(a, b) that adds two decimal numbers given as strings, such as "-12.050" and "3", exactly, and returns the sum as a string. Inputs have up to 200 digits, an optional leading minus and an optional fraction. The result has no exponent, no superfluous zeros ("1.50" becomes "1.5", "007" becomes "7"), a digit before the point, and is never "-0". ${plainJavaScript}`,
    check: {
      type: 'tests',
      entry: 'addDecimals',
      cases: [
        { run: 'addDecimals("0.1", "0.2")', expected: '0.3' },
        { run: 'addDecimals("-12.050", "3")', expected: '-9.05' },
        { run: 'addDecimals("99999999999999999999.9", "0.1")', expected: '100000000000000000000' },
        { run: 'addDecimals("-0.5", "0.50")', expected: '0' },
        { run: 'addDecimals("1.005", "-1")', expected: '0.005' },
        { run: 'addDecimals("007", "-0.00")', expected: '7' },
        { run: 'addDecimals("0.001", "-1")', expected: '-0.999' },
        { run: 'addDecimals("-0.0001", "0.00005")', expected: '-0.00005' },
        { run: 'addDecimals("100", "200")', expected: '300' },
        {
          run: 'addDecimals("1" + "0".repeat(150), "0." + "0".repeat(40) + "1")',
          expected: `1${'0'.repeat(150)}.${'0'.repeat(40)}1`,
        },
      ],
    },
  },
  {
    id: 'code-glob',
    grade: 4,
    prompt: `Write a function matchesGlob(pattern, path) that says whether a path matches a pattern as a whole. Both are split into segments at "/". Within a segment, "?" matches exactly one character and "*" any number of characters, including none. A segment that is exactly "**" matches any number of whole segments, including none, so "a/**" matches "a" as well as "a/b/c". "**" inside a longer segment is the same as "*". All other characters stand for themselves. ${plainJavaScript}`,
    check: {
      type: 'tests',
      entry: 'matchesGlob',
      cases: [
        { run: 'matchesGlob("src/*.ts", "src/a.ts")', expected: true },
        { run: 'matchesGlob("src/*.ts", "src/deep/a.ts")', expected: false },
        { run: 'matchesGlob("src/*.ts", "src/axts")', expected: false },
        { run: 'matchesGlob("a/**/b", "a/b")', expected: true },
        { run: 'matchesGlob("a/**/b", "a/x/y/b")', expected: true },
        { run: 'matchesGlob("a/**/b", "a/xb")', expected: false },
        { run: 'matchesGlob("a/**", "a")', expected: true },
        { run: 'matchesGlob("**/c", "c")', expected: true },
        { run: 'matchesGlob("**/a/**/c", "x/a/b/a/c")', expected: true },
        { run: 'matchesGlob("a?c", "a/c")', expected: false },
        { run: 'matchesGlob("a?c", "abc")', expected: true },
        { run: 'matchesGlob("a**c", "axyc")', expected: true },
        { run: 'matchesGlob("a**c", "a/c")', expected: false },
        { run: 'matchesGlob("(a|b)+[c]$", "(a|b)+[c]$")', expected: true },
        { run: 'matchesGlob("(a|b)+", "ab")', expected: false },
        { run: 'matchesGlob("*a*b", "xaab")', expected: true },
      ],
    },
  },
  {
    id: 'code-build-order',
    grade: 4,
    prompt: `Write a function buildOrder(needs). Its argument maps each task to the list of tasks that it needs first; tasks that appear only in such lists exist too and need nothing. It returns all tasks in an order in which each comes after everything it needs. Whenever several tasks could come next, the one that is first in code unit order (the default order of sort) comes next. If there is no such order, it returns null. Task names can be any strings, such as "constructor". ${plainJavaScript}`,
    check: {
      type: 'tests',
      entry: 'buildOrder',
      cases: [
        {
          run: 'buildOrder({ app: ["lib", "css"], lib: ["core"] })',
          expected: ['core', 'css', 'lib', 'app'],
        },
        { run: 'buildOrder({ b: [], a: [], c: ["a"] })', expected: ['a', 'b', 'c'] },
        { run: 'buildOrder({ a: ["z"], b: [] })', expected: ['b', 'z', 'a'] },
        { run: 'buildOrder({ a: ["b"], b: ["a"] })', expected: null },
        { run: 'buildOrder({ a: ["a"] })', expected: null },
        { run: 'buildOrder({ x: ["y", "y"] })', expected: ['y', 'x'] },
        { run: 'buildOrder({})', expected: [] },
        {
          run: 'buildOrder({ a: ["constructor"], toString: ["a"] })',
          expected: ['constructor', 'a', 'toString'],
        },
        {
          run: 'buildOrder({ m: ["k"], k: [], Z: ["m"], "10": [], "9": ["Z"] })',
          expected: ['10', 'k', 'm', 'Z', '9'],
        },
      ],
    },
  },
]
