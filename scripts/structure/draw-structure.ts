/**
 * The parts of `src` as SVG: layers from top to bottom, so that every line leads downwards. A line that crosses layers
 * has a gap of its own in each of them, so that it never passes behind a part.
 */
import { directImports, layersOf, type Imports } from './read-imports.ts'

const box = { width: 124, height: 30 }
const gapWidth = 20
const layerHeight = 84
const margin = 20
const width = 1_240

/** A part in its layer, or the gap through which a line passes there. */
interface Slot {
  id: string
  isPart: boolean
  /** The slots of the layer above that lead here. */
  above: Slot[]
  x: number
  y: number
}

export function drawStructure(imports: Imports): string {
  const layers = slotsOf(imports)
  for (const layer of layers) orderLayer(layer)
  for (const [row, layer] of layers.entries()) placeLayer(layer, margin + row * layerHeight)
  const height = margin * 2 + (layers.length - 1) * layerHeight + box.height
  const slots = layers.flat()
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...slots.flatMap((slot) => slot.above.map((above) => drawLine(above, slot))),
    ...slots.map((slot) => (slot.isPart ? drawBox(slot) : drawGap(slot))),
    '</svg>',
    '',
  ].join('\n')
}

function slotsOf(imports: Imports): Slot[][] {
  const layers = layersOf(imports)
    .toReversed()
    .map((parts) => parts.map((id): Slot => ({ id, isPart: true, above: [], x: 0, y: 0 })))
  const rowOf = new Map(layers.flatMap((layer, row) => layer.map(({ id }) => [id, row] as const)))
  const slotOf = new Map(layers.flat().map((slot) => [slot.id, slot]))
  for (const [from, to] of directImports(imports)) {
    const [first, last] = [slotOf.get(from), slotOf.get(to)]
    if (!first || !last) continue
    let above = first
    for (const layer of layers.slice((rowOf.get(from) ?? 0) + 1, rowOf.get(to))) {
      const gap: Slot = { id: `${from} ${to}`, isPart: false, above: [above], x: 0, y: 0 }
      layer.push(gap)
      above = gap
    }
    last.above.push(above)
  }
  return layers
}

/** Puts each slot below those that lead to it, which have their places already, so that few lines cross. */
function orderLayer(layer: Slot[]): void {
  const wanted = ({ above }: Slot) =>
    above.length === 0 ? width / 2 : above.reduce((sum, { x }) => sum + x, 0) / above.length
  layer.sort((a, b) => wanted(a) - wanted(b) || (a.id < b.id ? -1 : 1))
  placeLayer(layer, 0)
}

function placeLayer(layer: readonly Slot[], y: number): void {
  const taken = layer.reduce((sum, { isPart }) => sum + (isPart ? box.width : gapWidth), 0)
  const space = (width - margin * 2 - taken) / (layer.length + 1)
  let x = margin + space
  for (const slot of layer) {
    const own = slot.isPart ? box.width : gapWidth
    slot.x = Math.round(x + own / 2)
    slot.y = y
    x += own + space
  }
}

function drawLine({ x: x1, y }: Slot, { x: x2, y: y2 }: Slot): string {
  const y1 = y + box.height
  const middle = (y1 + y2) / 2
  return `<path d="M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}" fill="none" stroke="#94a3b8"/>`
}

function drawGap({ x, y }: Slot): string {
  return `<path d="M${x} ${y}V${y + box.height}" stroke="#94a3b8"/>`
}

function drawBox({ id, x, y }: Slot): string {
  const { width: boxWidth, height } = box
  const frame = `<rect x="${x - boxWidth / 2}" y="${y}" width="${boxWidth}" height="${height}" rx="6" fill="#f1f5f9" stroke="#475569"/>`
  return `${frame}<text x="${x}" y="${y + 20}" text-anchor="middle" fill="#0f172a">${id}</text>`
}
