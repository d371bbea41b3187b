/** The rating of a model, and of each of its reasoning efforts, from training/ratings.json. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'

const file = path.resolve(import.meta.dirname, '../../training/ratings.json')
/** @type {Record<string, { rating: object, efforts: object[] }>} */
const models = JSON.parse(await readFile(file, 'utf8'))

/** @param {string} weights */
export function ratingOf(weights) {
  const { rating = null, efforts = [] } = models[weights] ?? {}
  return { weights, rating, efforts }
}
