/**
 * The thread that colours code and sets formulas, so that a long answer never holds up the window. Each of the two
 * libraries is loaded when it is first needed.
 */
import type {
  Rendered,
  RenderingAnswer,
  RenderingRequest,
  RenderingTask,
} from './rendering-task.ts'

self.addEventListener('message', ({ data: { id, task } }: MessageEvent<RenderingRequest>) => {
  const answer = (result: Rendered) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one owner
    self.postMessage({ id, result } satisfies RenderingAnswer)
  }
  render(task).then(answer, () => answer(null))
})

async function render(task: RenderingTask): Promise<Rendered> {
  if (task.kind === 'code') {
    const { highlightCode } = await import('./highlight-code.ts')
    return highlightCode(task.code, task.language)
  }
  const { renderFormula } = await import('./render-formula.ts')
  return renderFormula(task.tex, task.isDisplay)
}
