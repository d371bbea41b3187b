import type { GgufFileInfo } from 'node-llama-cpp'
import { expect, test } from 'vitest'
import { factsOf } from './file-facts.ts'

/** Test boundary: the parts of a file's description that are read. */
function fileWith(architecture: object, tensors: readonly object[] = []): GgufFileInfo {
  const metadata = { general: { architecture: 'qwen3moe' }, tokenizer: { ggml: {} } }
  const described = { metadata, architectureMetadata: architecture, tensorInfo: tensors }
  return described as unknown as GgufFileInfo
}

test('counts keys and values by the head sizes that a file names', () => {
  const attention = { head_count: 32, head_count_kv: 8, key_length: 128, value_length: 128 }

  const facts = factsOf(fileWith({ block_count: 36, embedding_length: 2560, attention }))

  expect(facts.cacheBytesPerToken).toBe(36 * 8 * 2 * 128 * 2)
})

test('adds up keys and values of layers that differ', () => {
  const attention = { head_count: 4, head_count_kv: [0, 2, 0, 2] }

  const facts = factsOf(fileWith({ block_count: 4, embedding_length: 256, attention }))

  expect(facts.cacheBytesPerToken).toBe(4 * 2 * 64 * 2)
})

test('of a mixture of experts, counts the share of the parameters that a token uses', () => {
  const tensors = [
    { name: 'blk.0.attn_q.weight', dimensions: [100, 10] },
    { name: 'blk.0.ffn_up_exps.weight', dimensions: [100, 10, 8n] },
  ]

  const facts = factsOf(fileWith({ expert_count: 8, expert_used_count: 2 }, tensors))

  expect(facts).toMatchObject({ parameters: 9000, activeShare: 3000 / 9000 })
})

test('a file that says nothing, or the wrong things, has no facts', () => {
  const facts = factsOf(fileWith({ context_length: 'long', attention: 'all you need' }))

  expect(facts).toEqual({
    title: null,
    trainedTokens: null,
    cacheBytesPerToken: null,
    vocabulary: null,
    parameters: null,
    activeShare: 1,
  })
})
