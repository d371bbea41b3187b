/**
 * `node bench/train-routing.ts --data FILE…`: trains what reads a prompt, the topic head and the gain
 * head, and writes resources/routing-weights.json. The same files give the same weights.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { WeightsFile } from '../src/service/routing/prompt/routing-weights.ts'
import { topicNames } from '../src/shared/topics.ts'
import { readDataFile, type DataFile } from './routing/data-file.ts'
import { licenceOf } from './routing/licences.ts'
import { seeds } from './routing/seeds.ts'
import { gainSamples, trainGain, type GainSample } from './routing/train-gain.ts'
import { trainTopics } from './routing/train-topics.ts'
import { samplesOf, topicSamples } from './routing/training-set.ts'

const { values, positionals } = parseArgs({
  options: { data: { type: 'string', multiple: true, default: [] }, date: { type: 'string' } },
  allowPositionals: true,
})
const paths = [...values.data, ...positionals]
if (paths.length === 0) throw new Error('usage: node bench/train-routing.ts --data FILE…')

type Source = WeightsFile['provenance']['sources'][number]

const files = paths.map(readDataFile)
const gains = gainSamples(files)
const topics = trainTopics(topicSamples(files))
const weights: WeightsFile = {
  provenance: {
    command: 'node bench/train-routing.ts --data FILE…',
    date: values.date ?? new Date().toISOString().slice(0, 10),
    features:
      'src/service/routing/prompt/prompt-features.ts; numbers, from which no prompt can be read',
    sources: [...files.map((file) => sourceOf(file, gains)), seedSource()],
  },
  topics: {
    names: [...topicNames],
    bias: topics.bias,
    scales: topics.scales,
    weights: Buffer.from(topics.weights.buffer).toString('base64'),
  },
  gain: trainGain(gains),
}
const target = new URL('../resources/routing-weights.json', import.meta.url)
writeFileSync(target, `${JSON.stringify(weights, null, 2)}\n`)

function sourceOf(file: DataFile, samples: readonly GainSample[]): Source {
  const hasGain = samples.some(({ source }) => source === file.name)
  return {
    name: file.name,
    hash: file.hash,
    prompts: samplesOf(file).length,
    usedFor: hasGain ? ['topics', 'gain'] : ['topics'],
    licence: licenceOf(file.name),
  }
}

function seedSource(): Source {
  return {
    name: 'bench/routing/seeds.ts',
    hash: createHash('sha256').update(JSON.stringify(seeds)).digest('hex'),
    prompts: seeds.length,
    usedFor: ['topics'],
    licence: 'MIT, written for this repository',
  }
}
