/**
 * `node training/train-routing.ts --data FILE…`: trains the prompt reader (the heads for topics, gain and difficulty) and
 * writes resources/routing-weights.json. The same files give the same weights.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { WeightsFile } from '../src/service/routing/prompt/routing-weights.ts'
import { logitsPer100Points } from '../src/shared/models/quality-scale.ts'
import { topicNames } from '../src/shared/routers/topics.ts'
import { readDataFile, type DataFile } from './reader/data-file.ts'
import { licenceOf } from './reader/licences.ts'
import { gradedPrompts } from './graded/graded-prompts.ts'
import { gradedFeatures, scoredPrompts } from './reader/difficulty-samples.ts'
import { seeds } from './seeds.ts'
import { trainDifficulty } from './reader/train-difficulty.ts'
import { gainSamples, trainGain } from './reader/train-gain.ts'
import { trainTopics } from './reader/train-topics.ts'
import { samplesOf, topicSamples } from './reader/training-set.ts'

const { values, positionals } = parseArgs({
  options: { data: { type: 'string', multiple: true, default: [] }, date: { type: 'string' } },
  allowPositionals: true,
})
const paths = [...values.data, ...positionals]
if (paths.length === 0) throw new Error('usage: node training/train-routing.ts --data FILE…')

const ownLicence = 'MIT, written for this repository'

type Source = WeightsFile['provenance']['sources'][number]

const files = paths.map(readDataFile)
const gains = gainSamples(files)
const topics = trainTopics(topicSamples(files))
const scored = files.flatMap((file) => scoredPrompts(file, topics))
const { stems, trees, ...difficulty } = trainDifficulty({
  scored,
  graded: gradedFeatures(gradedPrompts, topics),
})
const weights: WeightsFile = {
  provenance: {
    command: 'node training/train-routing.ts --data FILE…',
    date: values.date ?? new Date().toISOString().slice(0, 10),
    features:
      'src/service/routing/prompt/prompt-features.ts; numbers, from which no prompt can be read',
    sources: [...files.map(sourceOf), seedSource(), gradedSource()],
  },
  topics: {
    names: [...topicNames],
    bias: topics.bias,
    scales: topics.scales,
    weights: base64(topics.weights),
  },
  gain: trainGain(gains),
  difficulty: {
    logitsPer100Points,
    ...difficulty,
    stems: base64(stems),
    trees: {
      ...trees,
      thresholds: base64(littleEndian(trees.thresholds)),
      trees: base64(trees.trees),
      masks: base64(littleEndian(trees.masks)),
      leaves: base64(trees.leaves),
    },
  },
}
const target = new URL('../resources/routing-weights.json', import.meta.url)
writeFileSync(target, `${JSON.stringify(weights, null, 2)}\n`)

function sourceOf(file: DataFile): Source {
  const usedFor: Source['usedFor'] = ['topics']
  if (gains.some(({ source }) => source === file.name)) usedFor.push('gain')
  if (scored.some((prompt) => prompt.file === file.name)) usedFor.push('difficulty')
  return {
    name: file.name,
    hash: file.hash,
    prompts: samplesOf(file).length,
    usedFor,
    licence: licenceOf(file.name),
  }
}

function seedSource(): Source {
  return {
    name: 'training/seeds.ts',
    hash: hashOf(seeds),
    prompts: seeds.length,
    usedFor: ['topics'],
    licence: ownLicence,
  }
}

/** Graded prompts; their topics count where they are about code. */
function gradedSource(): Source {
  return {
    name: 'training/graded/graded-prompts.ts',
    hash: hashOf(gradedPrompts),
    prompts: gradedPrompts.length,
    usedFor: ['topics', 'difficulty'],
    licence: ownLicence,
  }
}

function hashOf(prompts: unknown): string {
  return createHash('sha256').update(JSON.stringify(prompts)).digest('hex')
}

function littleEndian(numbers: Float32Array | Uint16Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(numbers.byteLength))
  for (const [place, value] of numbers.entries()) {
    const at = place * numbers.BYTES_PER_ELEMENT
    if (numbers instanceof Float32Array) view.setFloat32(at, value, true)
    else view.setUint16(at, value, true)
  }
  return new Uint8Array(view.buffer)
}

function base64(bytes: Int8Array | Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}
