/**
 * The layout of an agent's graph, a small version of Sugiyama's method. Layers run from top to
 * bottom; a step's layer is its longest path from the start. A line that crosses a layer gets a
 * point in it. Each layer is sorted by the position of its predecessors. Inner graphs are drawn
 * inside their step.
 */
import type { DraftGraph, DraftStep } from './draft.ts'

/** A box in pixels, from the top left of the drawing. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface PlacedStep extends Box {
  step: DraftStep
  /** Inner graphs with their labels. */
  frames: readonly (Box & { label: string; isEmpty: boolean })[]
}

export interface Layout {
  width: number
  height: number
  /** A step comes before its inner steps. */
  steps: readonly PlacedStep[]
  /** One line per dependency, from top to bottom. */
  lines: readonly (readonly Point[])[]
}

export interface Point {
  x: number
  y: number
}

const stepWidth = 168
export const headHeight = 40
const emptyHeight = 28
const layerGap = 34
const sideGap = 18
const padding = 12
const labelHeight = 20
const passWidth = 10

/** A step in a layer, or a point where a line crosses the layer (`step` is null). */
interface Slot extends Box {
  step: DraftStep | null
  inner: Inner | null
  /** Predecessors in the layer above. */
  from: Slot[]
  layer: number
  /** Position in the source; for a crossing point, the position of the line's first step. */
  order: number
}

interface Inner {
  layouts: readonly Layout[]
  labels: readonly string[]
  width: number
  height: number
}

/** @returns the drawing, without a margin */
export function layOut(graph: DraftGraph): Layout {
  const layers = orderLayers(toLayers(graph))
  const width = Math.max(0, ...layers.map(widthOf))
  const height = placeLayers(layers, width)
  const slots = layers.flat()
  const steps = slots.flatMap((slot) => stepsOf(slot))
  const lines = [...slots.flatMap(linesTo), ...slots.flatMap(innerLines)]
  return { width, height, steps, lines }
}

/** The longest path from a step without dependencies, by id. A cycle counts until it closes. */
export function layersOf(steps: readonly DraftStep[]): Map<string, number> {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const layers = new Map<string, number>()
  const measure = (id: string, under: ReadonlySet<string>): number => {
    const known = layers.get(id)
    if (known !== undefined) return known
    const needs = (byId.get(id)?.needs ?? []).filter((need) => byId.has(need) && !under.has(need))
    const inner = new Set([...under, id])
    const layer = Math.max(-1, ...needs.map((need) => measure(need, inner))) + 1
    layers.set(id, layer)
    return layer
  }
  for (const { id } of steps) measure(id, new Set([id]))
  return layers
}

function toLayers({ steps }: DraftGraph): Slot[][] {
  const layerOf = layersOf(steps)
  const layers: Slot[][] = Array.from({ length: Math.max(-1, ...layerOf.values()) + 1 }, () => [])
  const slots = new Map<string, Slot>()
  for (const [order, step] of steps.entries()) {
    const slot = slotOf(step, layerOf.get(step.id) ?? 0, order)
    layers[slot.layer]?.push(slot)
    if (!slots.has(step.id)) slots.set(step.id, slot)
  }
  for (const slot of layers.flat()) {
    for (const need of new Set(slot.step?.needs)) {
      const start = slots.get(need)
      if (start && start.layer < slot.layer) join(start, slot, layers)
    }
  }
  return layers
}

function slotOf(step: DraftStep, layer: number, order: number): Slot {
  const inner = innerOf(step)
  const width = Math.max(stepWidth, inner === null ? 0 : inner.width + 2 * padding)
  const height = headHeight + (inner === null ? 0 : inner.height + padding)
  return { step, inner, from: [], layer, order, x: 0, y: 0, width, height }
}

function innerOf({ graphs }: DraftStep): Inner | null {
  if (graphs.length === 0) return null
  const layouts = graphs.map(layOut)
  const widths = layouts.map(frameWidth)
  return {
    layouts,
    labels: graphs.map(({ label }) => label),
    width: widths.reduce((sum, width) => sum + width, 0) + sideGap * (graphs.length - 1),
    height: Math.max(...layouts.map(frameHeight)),
  }
}

function frameWidth({ width }: Layout): number {
  return Math.max(width, stepWidth - 2 * padding) + 2 * padding
}

function frameHeight({ height }: Layout): number {
  return labelHeight + Math.max(height, emptyHeight) + padding
}

/** Gives a line a point in each layer that it crosses. */
function join(start: Slot, end: Slot, layers: Slot[][]): void {
  let last = start
  for (let layer = start.layer + 1; layer < end.layer; layer += 1) {
    const box = { x: 0, y: 0, width: passWidth, height: headHeight }
    const pass: Slot = { step: null, inner: null, from: [last], layer, order: start.order, ...box }
    layers[layer]?.push(pass)
    last = pass
  }
  end.from.push(last)
}

/** Sorts each layer by the average position of the predecessors. */
function orderLayers(layers: Slot[][]): Slot[][] {
  const places = new Map<Slot, number>()
  return layers.map((layer) => {
    const wanted = (slot: Slot) => {
      const before = slot.from.map((from) => places.get(from) ?? 0)
      if (before.length === 0) return slot.order
      return before.reduce((sum, place) => sum + place, 0) / before.length
    }
    const ordered = layer.toSorted((a, b) => wanted(a) - wanted(b) || a.order - b.order)
    for (const [place, slot] of ordered.entries()) places.set(slot, place)
    return ordered
  })
}

function widthOf(layer: readonly Slot[]): number {
  return layer.reduce((sum, { width }) => sum + width, 0) + sideGap * (layer.length - 1)
}

/** Centres each layer. @returns the total height */
function placeLayers(layers: readonly Slot[][], width: number): number {
  let y = 0
  for (const layer of layers) {
    let x = (width - widthOf(layer)) / 2
    const height = Math.max(...layer.map((slot) => slot.height))
    for (const slot of layer) {
      slot.x = x
      slot.y = y
      if (slot.step === null) slot.height = height
      x += slot.width + sideGap
    }
    y += height + layerGap
  }
  return Math.max(0, y - layerGap)
}

/** The inner graphs, side by side below the head of the step. */
function framesOf({ inner, x, y }: Slot): (Box & { label: string; layout: Layout })[] {
  if (inner === null) return []
  let left = x + padding
  return inner.layouts.map((layout, index) => {
    const width = frameWidth(layout)
    const frame = { x: left, y: y + headHeight, width, height: inner.height }
    left += width + sideGap
    return { ...frame, label: inner.labels[index] ?? '', layout }
  })
}

/** The origin of the drawing inside a frame. */
function originOf({ x, y, width, layout }: Box & { layout: Layout }): Point {
  return { x: x + (width - layout.width) / 2, y: y + labelHeight }
}

function stepsOf(slot: Slot): PlacedStep[] {
  const { step, x, y, width, height } = slot
  if (step === null) return []
  const frames = framesOf(slot)
  const shown = frames.map(({ layout, ...frame }) => ({
    ...frame,
    isEmpty: layout.steps.length === 0,
  }))
  return [
    { step, x, y, width, height, frames: shown },
    ...frames.flatMap((frame) => {
      const origin = originOf(frame)
      return frame.layout.steps.map((placed) => movedStep(placed, origin))
    }),
  ]
}

function movedStep(placed: PlacedStep, by: Point): PlacedStep {
  const frames = placed.frames.map((frame) => ({ ...frame, ...moved(frame, by) }))
  return { ...placed, ...moved(placed, by), frames }
}

function moved({ x, y }: Point, by: Point): Point {
  return { x: x + by.x, y: y + by.y }
}

/** The lines that end at a step. Crossing points are part of these lines. */
function linesTo(slot: Slot): Point[][] {
  if (slot.step === null) return []
  return slot.from.map((from) => [...wayTo(from), { x: slot.x + slot.width / 2, y: slot.y }])
}

/** The points of a line from its first step to the lower edge of the slot. */
function wayTo(slot: Slot): Point[] {
  const x = slot.x + slot.width / 2
  const below = { x, y: slot.y + slot.height }
  const [from] = slot.from
  if (slot.step !== null || from === undefined) return [below]
  return [...wayTo(from), { x, y: slot.y }, below]
}

function innerLines(slot: Slot): (readonly Point[])[] {
  return framesOf(slot).flatMap((frame) => {
    const origin = originOf(frame)
    return frame.layout.lines.map((line) => line.map((point) => moved(point, origin)))
  })
}

export type Direction = 'up' | 'down' | 'left' | 'right'

/** The nearest step in this direction, or null. Vertical moves prefer the adjacent layer. */
export function neighbourOf(
  steps: readonly PlacedStep[],
  from: PlacedStep,
  direction: Direction,
): PlacedStep | null {
  const isVertical = direction === 'up' || direction === 'down'
  const sign = direction === 'up' || direction === 'left' ? -1 : 1
  const distances = steps.flatMap((placed) => {
    const dx = placed.x + placed.width / 2 - (from.x + from.width / 2)
    const dy = placed.y - from.y
    const ahead = sign * (isVertical ? dy : dx)
    const aside = Math.abs(isVertical ? dx : dy)
    return ahead > 1 ? [{ placed, distance: ahead + aside * (isVertical ? 0.5 : 2) }] : []
  })
  return distances.toSorted((a, b) => a.distance - b.distance)[0]?.placed ?? null
}
