import { expect, test } from 'vitest'
import { toOptions } from './provider-options.tsx'

const options = [
  { name: 'api-version', label: '', hint: '' },
  { name: 'header.*', label: '', hint: '' },
]

test('what was typed becomes options, the headers one by one', () => {
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

test('a header without a colon goes on to be refused', () => {
  expect(toOptions(options, { 'header.*': 'X-Team' })).toEqual({ 'header.X-Team': '' })
})

test('nothing typed is no option', () => {
  expect(toOptions(options, { 'api-version': '  ', 'header.*': '\n' })).toEqual({})
})
