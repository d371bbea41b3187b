/** How fast a local model would write on this computer, before it is downloaded. */
import { useEffect, useState } from 'react'
import type { LocalModelInfo } from '../../../../shared/models/local-models.ts'

/** More than the caches of a processor hold. */
const probeBytes = 32 * 1024 * 1024
const probes = 4
/**
 * Each token reads the weights once, and the rest is computing: with 22.5 GB/s of memory, the built-in model of 94 MB
 * writes 111 tokens per second, not 239 (docs/benchmarks.md).
 */
const shareOfMemorySpeed = 0.47

let measured: number | null = null

/** Bytes that one core reads and writes in a second, the best of some copies; about 15 ms. */
export function measureMemorySpeed(now: () => number = () => performance.now()): number {
  const [from, to] = [new Uint8Array(probeBytes).fill(1), new Uint8Array(probeBytes)]
  const times = Array.from({ length: probes }, () => {
    const startedAt = now()
    to.set(from)
    return now() - startedAt
  })
  return (2 * probeBytes * 1000) / Math.min(...times)
}

type Weights = Pick<LocalModelInfo, 'sizeBytes' | 'activeShare'>

export function expectedTokensPerSecond(
  { sizeBytes, activeShare }: Weights,
  memoryBytesPerSecond: number,
): number {
  return (memoryBytesPerSecond * shareOfMemorySpeed) / (sizeBytes * activeShare)
}

/** Null without a model, and until the memory is measured, once in the life of the window. */
export function useExpectedSpeed(model: Weights | undefined): number | null {
  const [speed, setSpeed] = useState(measured)
  const isWanted = model !== undefined && speed === null
  useEffect(() => {
    if (!isWanted) return
    // After the page is drawn.
    const soon = setTimeout(() => setSpeed((measured ??= measureMemorySpeed())), 200)
    return () => clearTimeout(soon)
  }, [isWanted])
  return model === undefined || speed === null ? null : expectedTokensPerSecond(model, speed)
}
