import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { listed, model } from '../../../../../test/renderer-harness/model-samples.ts'
import { UnpricedModels } from './add/unpriced-models.tsx'
import { OwnPrice } from './own-price.tsx'

const unpriced = model('openai:gpt-new', null)
const priced = model('openai:gpt-new', [1, 2])

function buttonOf(shown: typeof priced, isOwn = true): string {
  const row = listed(shown, { isOwn })
  return renderToStaticMarkup(<OwnPrice row={row} />).replaceAll(/<[^>]*>/g, '')
}

test('a price of the user’s own can be corrected, and a missing one set', () => {
  expect(buttonOf({ ...priced, priceSource: { kind: 'user' } })).toBe('Edit price')
  expect(buttonOf(unpriced)).toBe('Set price')
})

test('the catalogue’s price, and that of a model that is not the user’s, has no button', () => {
  const source = { kind: 'catalog', source: 'example', asOf: '2026-11-01' } as const
  expect(buttonOf({ ...priced, priceSource: source })).toBe('')
  expect(buttonOf(unpriced, false)).toBe('')
})

test.each([true, false])('only models of an own server can be free at once: %s', (isOwnServer) => {
  const props = { models: [unpriced], catalog: [], isOwnServer, isOpenAtFirst: false }
  const shown = renderToStaticMarkup(<UnpricedModels {...props} />)
  expect(shown).toContain('One model has no price')
  expect(shown.includes('Free: my own server (1)')).toBe(isOwnServer)
})
