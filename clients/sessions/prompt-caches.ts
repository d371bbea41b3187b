/** The caches of OpenAI and of vendors of its chat form: automatic, the longest prefix that an earlier request had. */
import { hash } from 'node:crypto'
import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { fieldsOf, listOf } from '../../src/service/json-fields.ts'
import { FakePromptCache } from '../../test/upstreams/anthropic/prompt-cache.ts'

interface PromptTokens {
  promptTokens: number
  cachedTokens: number
  cacheWriteTokens: number
}

export interface PromptCache {
  account(body: Readonly<Record<string, unknown>>): PromptTokens
}

/** Anthropic's: each model and effort has its own. */
export function markedCache(leastTokens: number): PromptCache {
  const caches = new Map<string, FakePromptCache>()
  return {
    account(body) {
      const effort = JSON.stringify([body['model'], body['output_config'] ?? null])
      const cache = caches.get(effort) ?? new FakePromptCache(leastTokens, Date.now)
      caches.set(effort, cache)
      // The line of attribution differs from request to request, and is no part of the prefix.
      const system = listOf(body['system']).filter((block) => !isAttribution(block))
      // The fields that a cache reads; the vendor has checked them.
      const prompt = { ...body, system } as never as MessageCreateParamsBase
      const { input, read, written5m, written1h } = cache.account(prompt)
      const cacheWriteTokens = written5m + written1h
      return { promptTokens: input + read + cacheWriteTokens, cachedTokens: read, cacheWriteTokens }
    },
  }
}

function isAttribution(block: unknown): boolean {
  return String(fieldsOf(block)['text']).startsWith('x-anthropic-billing-header')
}

/** OpenAI: prefixes from 1,024 tokens, in steps of 128. */
const leastTokens = 1_024
const stepTokens = 128

/** @param chargesWrites  whether tokens that are written to the cache have a price of their own */
export function automaticCache(chargesWrites: boolean): PromptCache {
  const known = new Set<string>()
  return {
    account(body) {
      const parts = [
        body['instructions'],
        body['tools'],
        ...listOf(body['messages'] ?? body['input']),
      ]
      let key = JSON.stringify([
        body['model'],
        body['reasoning_effort'],
        fieldsOf(body['reasoning'])['effort'],
      ])
      let promptTokens = 0
      let shared = 0
      for (const part of parts) {
        const text = JSON.stringify(part ?? null)
        key = hash('sha256', `${key} ${text}`)
        promptTokens += Math.ceil(text.length / 4)
        if (known.has(key)) shared = promptTokens
        known.add(key)
      }
      const cachedTokens = shared < leastTokens ? 0 : shared - (shared % stepTokens)
      const cacheWriteTokens =
        chargesWrites && promptTokens >= leastTokens ? promptTokens - cachedTokens : 0
      return { promptTokens, cachedTokens, cacheWriteTokens }
    },
  }
}
