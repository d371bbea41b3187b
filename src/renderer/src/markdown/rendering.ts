/** Asks the rendering worker, which starts with the first code or formula. */
import { startTransition, useEffect, useState } from 'react'
import type { CodePart } from './highlight-code.ts'
import type { MathNode } from './render-formula.ts'
import type {
  Rendered,
  RenderingAnswer,
  RenderingRequest,
  RenderingTask,
} from './rendering-task.ts'
import { startWorker } from './start-worker.ts'

/** More code than this stays plain: thousands of coloured pieces would slow the window down. */
const mostCode = 30_000
/** Results are kept for answers that are shown again. */
const mostResults = 500

const results = new Map<string, Rendered>()
const waiting = new Map<number, (result: Rendered) => void>()
let worker: Worker | null = null
let lastId = 0

/** The code in coloured pieces; null before they are there, and for code that stays plain. */
export function useHighlighting(code: string, language: string | null): readonly CodePart[] | null {
  const isPlain = language === null || code.length > mostCode
  // The kind of the task is the kind of its result.
  return useRendering(isPlain ? null : { kind: 'code', code, language }) as
    | readonly CodePart[]
    | null
}

/** The formula as MathML; null before it is there, and for invalid TeX. */
export function useFormula(tex: string, isDisplay: boolean): MathNode | null {
  // As above.
  return useRendering({ kind: 'formula', tex, isDisplay }) as MathNode | null
}

function useRendering(task: RenderingTask | null): Rendered {
  const key = task && JSON.stringify(task)
  const [rendered, setRendered] = useState<{ key: string; result: Rendered } | null>(null)
  useEffect(() => {
    if (key === null || results.has(key)) return
    let isWanted = true
    async function show(wanted: string): Promise<void> {
      // A key is the JSON of a task.
      const result = await render(wanted, JSON.parse(wanted) as RenderingTask)
      if (isWanted) startTransition(() => setRendered({ key: wanted, result }))
    }
    void show(key)
    return () => {
      isWanted = false
    }
  }, [key])
  if (key === null) return null
  return rendered?.key === key ? rendered.result : (results.get(key) ?? null)
}

async function render(key: string, task: RenderingTask): Promise<Rendered> {
  worker ??= openWorker()
  const id = ++lastId
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
  worker.postMessage({ id, task } satisfies RenderingRequest)
  const result = await new Promise<Rendered>((resolve) => waiting.set(id, resolve))
  const [oldest] = results.keys()
  if (results.size >= mostResults && oldest !== undefined) results.delete(oldest)
  results.set(key, result)
  return result
}

function openWorker(): Worker {
  const opened = startWorker()
  opened.addEventListener('message', ({ data: { id, result } }: MessageEvent<RenderingAnswer>) => {
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  // Without the worker, code and formulas stay as they were written.
  opened.addEventListener('error', () => {
    for (const resolve of waiting.values()) resolve(null)
    waiting.clear()
  })
  return opened
}
