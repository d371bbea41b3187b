/**
 * The thread that colours code, sets formulas and draws diagrams, so that a long answer never holds up the window. Each of
 * the libraries is loaded when it is first needed.
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
  if (task.kind === 'diagram') {
    const { renderDiagram } = await import('./render-diagram.ts')
    return await renderDiagram(task.source, task.colours)
  }
  const { renderFormula } = await import('./render-formula.ts')
  return renderFormula(task.tex, task.isDisplay)
}
