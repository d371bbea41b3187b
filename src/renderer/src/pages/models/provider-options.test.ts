import { expect, test } from 'vitest'
import { toOptions, toTyped } from './provider-options.tsx'

const options = [
  { name: 'api-version', label: '', hint: '' },
  { name: 'header.*', label: '', hint: '' },
  { name: 'model.*', label: '', hint: '' },
]

test('the input becomes options, with one option per header', () => {
  const typed = {
    'api-version': ' 2024-10-21 ',
    'header.*': 'HTTP-Referer: https://a.example:8443/x\n\n X-Team : search\n',
    organization: 'of another type that was chosen before',
  }

  expect(toOptions(options, typed)).toEqual({
    'api-version': '2024-10-21',
    'header.HTTP-Referer': 'https://a.example:8443/x',
    'header.X-Team': 'search',
  })
})

test('a header without a colon is passed on, so that the service rejects it', () => {
  expect(toOptions(options, { 'header.*': 'X-Team' })).toEqual({ 'header.X-Team': '' })
})

test('empty input gives no options', () => {
  expect(toOptions(options, { 'api-version': '  ', 'header.*': '\n' })).toEqual({})
})

test('options become input that gives the same options', () => {
  const headers = { 'header.X-Team': 'a: b', 'header.X-Other': 'c' }
  const given = { 'api-version': 'v1', ...headers, 'model.our-gpt': 'openai:gpt-5' }

  expect(toOptions(options, toTyped(given))).toEqual(given)
})
