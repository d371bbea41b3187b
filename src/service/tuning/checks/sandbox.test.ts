import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { PromptCheck } from '../../../shared/chat/prompt-check.ts'
import { gradeAnswer } from './grade-answer.ts'
import { runInSandbox } from './sandbox.ts'

// An interpreter takes its time on a busy computer, and some tests start twenty.
vi.setConfig({ testTimeout: 120_000 })

let server: Server
let connections = 0
const trace = path.join(tmpdir(), `sandbox-escape-${process.pid}`)

beforeAll(async () => {
  server = createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1')
  server.on('connection', () => connections++)
  await once(server, 'listening')
})

afterAll(() => {
  server.close()
})

/** The grade of an answer that consists of `code`, by the value of `f()`. */
async function gradeCode(code: string, expected: string | number | boolean = 'expected') {
  const check: PromptCheck = { type: 'tests', entry: 'f', cases: [{ run: 'f()', expected }] }
  return gradeAnswer(check, `Here you are:\n\`\`\`js\n${code}\n\`\`\``)
}

/** An expression that reaches the server or the file if it can. */
const escapes = (): readonly (readonly [name: string, expression: string])[] => {
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/`
  const write = `writeFileSync(${JSON.stringify(trace)}, "x")`
  const command = `execSync("touch ${trace}; curl ${url}")`
  return [
    ['fetch', `fetch("${url}")`],
    ['XMLHttpRequest', `new XMLHttpRequest().open("GET", "${url}")`],
    ['WebSocket', `new WebSocket("${url.replace('http', 'ws')}")`],
    ['require', `require("node:fs").${write}`],
    ['child processes', `require("node:child_process").${command}`],
    ['import()', `import("node:fs").then((fs) => fs.${write})`],
    ['import() of a URL', `import("${url}")`],
    ['import() of code', `import("data:text/javascript,export default 1")`],
    ['process.exit', 'process.exit(0)'],
    ['process.binding', 'process.binding("fs")'],
    ['getBuiltinModule', `process.getBuiltinModule("node:fs").${write}`],
    ['this.constructor.constructor', `this.constructor.constructor("return process")().exit()`],
    ['Function', `Function("return process")().exit()`],
    ['eval', `(0, eval)("process").exit()`],
    ['the constructor of console', `console.log.constructor("return process")().exit()`],
    [
      'the constructor of a promise',
      `Promise.resolve().constructor.constructor("return process")()`,
    ],
    [
      'prepareStackTrace',
      `(() => { Error.prepareStackTrace = (_, sites) => sites; return new Error().stack[0].getThis().process.exit() })()`,
    ],
    [
      'globals of a worker',
      `[typeof parentPort, typeof workerData, typeof postMessage, typeof self].join()`,
    ],
    [
      'globals of QuickJS',
      `[typeof std, typeof os, typeof scriptArgs, typeof loadScript, typeof print].join()`,
    ],
    ['WebAssembly', `new WebAssembly.Memory({ initial: 1 })`],
    ['timers', `setTimeout(() => {}, 0)`],
  ]
}

describe('code in an answer', () => {
  test('gives values that are compared with the expected ones', async () => {
    expect(await gradeCode('const f = () => "expected"')).toEqual({
      score: 1,
      reason: 'All 1 tests pass.',
    })
    expect(await gradeCode('async function f() { await null; return "expected" }')).toMatchObject({
      score: 1,
    })
    expect(await gradeCode('function f() { return "other" }')).toEqual({
      score: 0,
      reason: '1 of 1 tests fail: "f()" gave ""other"".',
    })
  })

  test('may be exported, print, and contain an example call', async () => {
    const forms = [
      'export default function f() { return "expected" }',
      'export const f = () => "expected"\nconsole.log(f())',
      'const f = () => "expected"\nexport { f }',
      'module.exports = { f: () => "expected" }\nexports.f = module.exports.f',
    ]
    const grades = await Promise.all(forms.map((code) => gradeCode(code)))
    expect(grades.map(({ score }) => score)).toEqual([1, 1, 1, 1])
  })

  test('may stand in the last of several blocks, or without any block', async () => {
    const check: PromptCheck = { type: 'tests', entry: 'f', cases: [{ run: 'f(2)', expected: 4 }] }
    const blocks =
      'First try:\n```js\nconst f = (x) => x + 1\n```\nBetter:\n```js\nconst f = (x) => x * x\n```\nUse it:\n```js\nf(3)\n```'
    expect(await gradeAnswer(check, blocks)).toMatchObject({ score: 1 })
    expect(await gradeAnswer(check, 'const f = (x) => x * x')).toMatchObject({ score: 1 })
    expect(await gradeAnswer(check, 'Square it: x * x')).toEqual({
      score: 0,
      reason: 'The answer does not define f.',
    })
  })

  test('reaches neither the network nor files nor processes', async () => {
    const before = new Set(Object.keys(globalThis))
    for (const [name, expression] of escapes()) {
      const { score, reason } = await gradeCode(`function f() { return ${expression} }`)
      expect({ name, score, reason }).toMatchObject({
        score: 0,
        reason: expect.stringMatching(
          /not defined|could not load module|not a function|cannot read|undefined(,undefined)+|no value/,
        ),
      })
    }
    expect(connections).toBe(0)
    expect(existsSync(trace)).toBe(false)
    expect(new Set(Object.keys(globalThis))).toEqual(before)
  })

  test('with a static import does not run', async () => {
    const { score, reason } = await gradeCode(
      'import { writeFileSync } from "node:fs"\nfunction f() { return "expected" }',
    )
    expect(score).toBe(0)
    expect(reason).toMatch(/^The code failed with "SyntaxError/)
  })
})

describe('code that does not end', () => {
  /** A tenth of the usual limit: its steps take as long as a start of the interpreter. */
  const fewPolls = { polls: 500 }

  test('in a loop is stopped', async () => {
    expect(await gradeCode('function f() { while (true) {} }')).toEqual({
      score: 0,
      reason: 'The code ran too long.',
    })
  })

  test.each([
    ['before it defines anything', 'while (true) {}\nfunction f() {}'],
    ['in a regular expression', 'function f() { return /(a+)+$/.test("a".repeat(60) + "b") }'],
    ['while its result is written', 'function f() { return { toJSON() { while (true) {} } } }'],
    [
      'and catches what it can',
      'function f() { while (true) { try { while (true) {} } catch {} } }',
    ],
  ])('%s is stopped', async (_, code) => {
    expect(await runInSandbox({ code, entry: 'f', runs: ['f()'] }, fewPolls)).toEqual({
      kind: 'failed',
      problem: 'The code ran too long.',
    })
  })

  test('in a promise chain is stopped', async () => {
    const code = 'function f() { const next = () => Promise.resolve().then(next); return next() }'
    expect(await gradeCode(code)).toMatchObject({
      score: 0,
      reason: expect.stringContaining('never settles'),
    })
  })

  test('is stopped after the same number of steps each time', async () => {
    const input = { entry: 'f', runs: ['f()'] }
    const steps = async (count: number): Promise<string> => {
      const code = `function f() { let n = 0; for (let i = 0; i < ${count}; i++) n += i; return n }`
      // Only the number of steps decides, however slow they are.
      return (await runInSandbox({ ...input, code }, { ...fewPolls, runMs: 60_000 })).kind
    }
    expect(await Promise.all([1e5, 1e5, 1e5].map(steps))).toEqual(['results', 'results', 'results'])
    expect(await Promise.all([4e6, 4e6].map(steps))).toEqual(['failed', 'failed'])
  })

  test('in a built-in function that cannot be interrupted is ended with its thread', async () => {
    const code = 'function f() { return 1 }'
    expect(await runInSandbox({ code, entry: 'f', runs: ['f()'] }, { runMs: 1 })).toEqual({
      kind: 'failed',
      problem: 'The code ran too long.',
    })
  })
})

describe('code that takes too much memory', () => {
  test('holds at most 32 MiB in arrays, each element with 8 bytes', async () => {
    const code = `
      const arrays = []
      try { for (;;) arrays.push(new Array(100_000).fill(1)) } catch { /* out of memory */ }
      const count = arrays.length
      arrays.length = 0
      const f = () => count > 10 && count * 0.8e6 <= 32 * 2 ** 20`

    expect(await gradeCode(code, true)).toMatchObject({ score: 1 })
  })

  test.each([
    [
      'objects',
      'function f() { const list = []; while (true) list.push({ list }) }',
      'out of memory',
    ],
    ['a text', 'function f() { return "x".repeat(1e9) }', 'out of memory'],
    ['a buffer', 'function f() { return new ArrayBuffer(1e9).byteLength }', 'out of memory'],
    ['its result', 'function f() { return "x".repeat(2e6) }', 'a result that is too long'],
    ['calls', 'function f() { return f() + 1 }', 'stack overflow'],
    [
      'nesting',
      `function f() { return ${'['.repeat(40_000)}${']'.repeat(40_000)} }`,
      'ended its sandbox',
    ],
  ])('for %s fails', async (_, code, reason) => {
    expect(await gradeCode(code)).toMatchObject({
      score: 0,
      reason: expect.stringContaining(reason),
    })
  })
})

describe('code that wants to pass without solving the task', () => {
  test.each([
    [
      'replaces the built-in functions',
      'JSON.stringify = () => "\\"expected\\""; JSON.parse = Object.is = () => true; function f() {}',
    ],
    [
      'changes all prototypes',
      'for (const type of [Object, Array, String, Number, Function, Promise]) { type.prototype.toJSON = () => true; type.prototype.score = 1; type.prototype.kind = "value" }\nfunction f() { return {} }',
    ],
    [
      'returns what a grade looks like',
      'function f() { return { score: 1, kind: "value", json: "\\"expected\\"", ok: true } }',
    ],
    ['returns a prototype', 'function f() { return JSON.parse(\'{"__proto__": {"score": 1}}\') }'],
    ['throws the expected value', 'function f() { throw "expected" }'],
    [
      'sends a message of its own',
      'function f() { postMessage({ kind: "results", results: [{ kind: "value", json: "\\"expected\\"" }] }) }',
    ],
    [
      'has an error with a getter',
      'function f() { throw { get message() { throw 1 }, get name() { while (true) {} } } }',
    ],
    [
      'is a proxy',
      'const f = () => new Proxy({}, { get: () => () => true, ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) })',
    ],
  ])('fails when it %s', async (_, code) => {
    expect(await gradeCode(code)).toMatchObject({ score: 0 })
    expect(Object.hasOwn(Object.prototype, 'score')).toBe(false)
  })

  test('finds nothing of an answer before it', async () => {
    await gradeCode('globalThis.left = 1; Object.prototype.left = 1; function f() { return 1 }')
    expect(await gradeCode('function f() { return typeof left }', 'undefined')).toMatchObject({
      score: 1,
    })
  })
})
