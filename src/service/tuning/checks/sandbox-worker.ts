/** The worker thread of the sandbox: one interpreter for one answer. Only JSON text leaves it. */
import { parentPort, workerData } from 'node:worker_threads'
import singleFileVariant from '@jitl/quickjs-singlefile-mjs-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core'
import type { CaseResult, SandboxOutcome, SandboxRun } from './sandbox.ts'

/** TypeScript declares it with the browser's types only. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => object
}

const pagesPerMib = 16
/** The interpreter itself needs 16 MiB, so the answer's code has 32 MiB. */
const memoryPages = { initial: 16 * pagesPerMib, maximum: 48 * pagesPerMib }
/**
 * Stack for some 5,000 nested calls. Deeply nested syntax overflows the thread's own stack first, which ends the
 * sandbox.
 */
const stackLimitBytes = 1024 * 1024
const mostJobs = 100_000
const longestResult = 1_000_000
const longestMessage = 200

/** Answers often end with example calls that print, and with `module.exports`. */
const prelude = `
globalThis.console = { log() {}, error() {}, warn() {}, info() {}, debug() {}, table() {}, assert() {} }
globalThis.module = { exports: {} }
globalThis.exports = module.exports
`

/** The interpreter gives up; nothing after it can run. */
class SandboxFailure extends Error {
  override readonly name = 'SandboxFailure'
}

// Checked boundary: runInSandbox is the only caller.
parentPort?.postMessage(await outcomeOf(workerData as SandboxRun))

async function outcomeOf(run: SandboxRun): Promise<SandboxOutcome> {
  try {
    return { kind: 'results', results: await runAll(run) }
  } catch (error) {
    if (error instanceof SandboxFailure) return { kind: 'failed', problem: error.message }
    // The interpreter itself failed, for instance because of its memory.
    return { kind: 'failed', problem: 'The code ended its sandbox.' }
  }
}

async function runAll({ code, entry, runs, mostPolls }: SandboxRun): Promise<CaseResult[]> {
  const interpreter = await startInterpreter(mostPolls)
  evaluate(code, interpreter)
  evaluate(exportedEntry(entry), interpreter)
  return runs.map((run) => {
    const result = resultOf(run, interpreter)
    refuseOverrun(interpreter)
    return result
  })
}

interface Interpreter {
  runtime: QuickJSRuntime
  context: QuickJSContext
  /** `JSON.stringify`, taken before the answer's code can replace it. */
  stringify: QuickJSHandle
  isOverrun: () => boolean
}

async function startInterpreter(mostPolls: number): Promise<Interpreter> {
  // QuickJS's own limit does not count the elements of arrays; the memory's maximum counts every byte.
  const wasmMemory = new WebAssembly.Memory(memoryPages)
  const interpreter = await newQuickJSWASMModuleFromVariant(
    newVariant(singleFileVariant, { wasmMemory }),
  )
  const runtime = interpreter.newRuntime()
  runtime.setMaxStackSize(stackLimitBytes)
  let polls = 0
  const isOverrun = (): boolean => polls > mostPolls
  runtime.setInterruptHandler(() => {
    polls++
    return isOverrun()
  })
  const context = runtime.newContext()
  context.unwrapResult(context.evalCode(prelude)).dispose()
  const stringify = context.getProp(context.getProp(context.global, 'JSON'), 'stringify')
  return { runtime, context, stringify, isOverrun }
}

function refuseOverrun({ isOverrun }: Interpreter): void {
  if (isOverrun()) throw new SandboxFailure('The code ran too long.')
}

/** `module.exports = entry` and `exports.entry = …` define a global as well. */
function exportedEntry(entry: string): string {
  return `if (typeof ${entry} === 'undefined')
    globalThis.${entry} = typeof module.exports === 'function' ? module.exports : module.exports.${entry}`
}

function evaluate(code: string, interpreter: Interpreter): void {
  const { context } = interpreter
  const result = context.evalCode(code, 'answer.js', { type: 'global' })
  refuseOverrun(interpreter)
  if (result.error) {
    throw new SandboxFailure(`The code failed with "${messageOf(context, result.error)}".`)
  }
  result.value.dispose()
}

function resultOf(run: string, { runtime, context, stringify }: Interpreter): CaseResult {
  const threw = (error: QuickJSHandle): CaseResult => {
    return { kind: 'threw', message: messageOf(context, error) }
  }
  const evaluated = context.evalCode(`(${run}\n)`, 'test.js', { type: 'global' })
  if (evaluated.error) return threw(evaluated.error)
  runtime.executePendingJobs(mostJobs).dispose()
  const state = context.getPromiseState(evaluated.value)
  if (state.type === 'pending') return { kind: 'threw', message: 'a promise that never settles' }
  if (state.type === 'rejected') return threw(state.error)
  const text = context.callFunction(stringify, context.undefined, state.value)
  if (text.error) return threw(text.error)
  if (context.typeof(text.value) !== 'string') return { kind: 'value', json: null }
  const length = context.getNumber(context.getProp(text.value, 'length'))
  if (length > longestResult) return { kind: 'threw', message: 'a result that is too long' }
  return { kind: 'value', json: context.getString(text.value) }
}

/** The name and message of a thrown value. */
function messageOf(context: QuickJSContext, error: QuickJSHandle): string {
  const thrown: unknown = context.dump(error)
  const isError = typeof thrown === 'object' && thrown !== null && 'message' in thrown
  const text = isError
    ? `${'name' in thrown ? String(thrown.name) : 'Error'}: ${String(thrown.message)}`
    : String(thrown)
  return text.replace(/\s+/g, ' ').slice(0, longestMessage)
}
