import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { bodyValidator } from './body-validator.ts'
import { requestForms } from '../answers/request-forms.ts'

test.each(Object.entries(requestForms))('the schema of %s is valid', (_form, { schema }) => {
  expect(new Ajv().validateSchema(schema)).toBe(true)
})

test('a schema is compiled with the first body', () => {
  let reads = 0
  const schema = {
    get type() {
      reads += 1
      return 'string'
    },
  }
  const texts = bodyValidator<string>(schema)
  expect(reads).toBe(0)

  expect(texts.accepts(1)).toBe(false)
  expect(texts.errors()).toMatchObject([{ keyword: 'type' }])
  const readsToCompile = reads
  expect(texts.accepts('text')).toBe(true)
  expect(reads).toBe(readsToCompile)
})
