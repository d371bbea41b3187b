import type { DiagramColours } from './render-diagram.ts'
import type { RenderingAnswer, RenderingRequest } from './rendering-task.ts'
import { startWorker } from './start-worker.ts'

/** A layout can take minutes, and only the end of its thread ends it. */
const longestMs = 5000

/** The text of an SVG image, drawn in a thread of its own; null when it cannot be drawn, or takes too long. Never rejects. */
export async function drawDiagram(source: string, colours: DiagramColours): Promise<string | null> {
  const worker = startWorker()
  try {
    return await new Promise<string | null>((resolve) => {
      setTimeout(() => resolve(null), longestMs)
      worker.addEventListener('error', () => resolve(null))
      worker.addEventListener('message', ({ data: { result } }: MessageEvent<RenderingAnswer>) => {
        resolve(typeof result === 'string' ? result : null)
      })
      const request: RenderingRequest = { id: 1, task: { kind: 'diagram', source, colours } }
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
      worker.postMessage(request)
    })
  } finally {
    worker.terminate()
  }
}
