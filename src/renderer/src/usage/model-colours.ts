/** One colour per model in the whole app. A model keeps its colour, also after a restart. */

export interface ModelColour {
  /** A CSS colour. */
  color: string
  /** True from the eighth model on, where colours repeat: its areas are hatched and its lines dashed. */
  isHatched: boolean
}

const colours = 7
const storageKey = 'model-colours'

let known: string[] | null = null

/** The colour of a model. A model that is asked for the first time gets the next free one. */
export function colourOfModel(model: string): ModelColour {
  known ??= storedModels()
  let index = known.indexOf(model)
  if (index === -1) {
    index = known.push(model) - 1
    localStorage.setItem(storageKey, JSON.stringify(known))
  }
  return {
    color: `var(--color-series-${(index % colours) + 1})`,
    isHatched: Math.floor(index / colours) % 2 === 1,
  }
}

function storedModels(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}
