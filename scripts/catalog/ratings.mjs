/** The rating of a model, and of each of its reasoning efforts, from resources/ratings.json. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'

const file = path.resolve(import.meta.dirname, '../../resources/ratings.json')
/** @type {{ models: Record<string, { rating: object, efforts: object[] }> }} */
const { models } = JSON.parse(await readFile(file, 'utf8'))

/** @param {string} weights */
export function ratingOf(weights) {
  const { rating = null, efforts = [] } = models[weights] ?? {}
  return { weights, rating, efforts }
}
