import { expect, test } from 'vitest'
import { listed, model } from '../../../../../../test/renderer-harness/model-samples.ts'
import { figuresOf, freeFigures, suggestPrice } from './suggest-price.ts'

const known = {
  ...model('openai:gpt-5-mini', [0.25, 2]),
  contextTokens: 400_000,
  capabilities: ['tools' as const, 'vision' as const],
}
const catalog = [listed(model('openai:unpriced', null)), listed(known)]

test('a model gets the price of the same name at another provider, whatever its maker or tag', () => {
  for (const id of ['proxy:gpt-5-mini', 'proxy:openai/GPT-5-mini', 'own:gpt-5-mini:latest']) {
    expect(suggestPrice(model(id, null), catalog)).toMatchObject({
      from: { id: 'openai:gpt-5-mini' },
      inputUsdPerMtok: 0.25,
      outputUsdPerMtok: 2,
    })
  }
})

test('a name that is only similar, or has no price, gets no suggestion', () => {
  expect(suggestPrice(model('proxy:gpt-5-mini-2', null), catalog)).toBeNull()
  expect(suggestPrice(model('proxy:unpriced', null), catalog)).toBeNull()
})

test('a suggested price comes with the context and the abilities of the same model', () => {
  const unpriced = model('proxy:gpt-5-mini', null)
  const price = suggestPrice(unpriced, catalog)

  expect(price && figuresOf(unpriced, price)).toEqual({
    id: 'proxy:gpt-5-mini',
    inputUsdPerMtok: 0.25,
    outputUsdPerMtok: 2,
    contextTokens: 400_000,
    capabilities: ['tools', 'vision'],
  })
})

test('a model of an own server is free, and needs no context', () => {
  expect(freeFigures(model('own:my-finetune', null), catalog)).toEqual({
    id: 'own:my-finetune',
    inputUsdPerMtok: 0,
    outputUsdPerMtok: 0,
    capabilities: [],
  })
})
