/** The moment under the pointer or the keyboard cursor, shared by all charts of a page. */
import { create } from 'zustand'

interface ChartCursor {
  /** The start of the bucket; null while no chart is pointed at. */
  atMs: number | null
  /** The chart that is pointed at; it shows the values. */
  owner: string | null
}

export const useChartCursor = create<ChartCursor>(() => ({ atMs: null, owner: null }))

export function moveCursor(owner: string, atMs: number): void {
  useChartCursor.setState({ owner, atMs })
}

/** Only the chart that has the cursor takes it away. */
export function leaveChart(owner: string): void {
  if (useChartCursor.getState().owner === owner)
    useChartCursor.setState({ owner: null, atMs: null })
}
