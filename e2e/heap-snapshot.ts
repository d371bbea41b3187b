import type { Page } from '@playwright/test'

/**
 * V8's snapshots cut strings after 1,024 characters, which would hide a secret in a longer string. Pass this to
 * `launchApp`.
 */
export const wholeStrings = '--js-flags=--heap-snapshot-string-limit=100000000'

/** Collects the window's garbage and takes a snapshot of the rest: JSON with every string in it. */
export async function takeHeapSnapshot(window: Page): Promise<Buffer> {
  const session = await window.context().newCDPSession(window)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await session.send('HeapProfiler.enable')
  // Finalizers and weak references can keep objects alive after a first collection.
  for (let round = 0; round < 3; round++) await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return Buffer.from(chunks.join(''))
}
