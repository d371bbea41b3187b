import { describe, expect, test } from 'vitest'
import { placeFormulas, takeFormulas } from './formulas.ts'

const texOf = (markdown: string) => takeFormulas(markdown).formulas

describe('a formula', () => {
  test.each([
    ['a_1 \\(a_1 * b_2\\) end', 'a_1 * b_2', false],
    ['text \\[ x^2 \\] end', 'x^2', true],
    ['$$\n\\frac{a}{b}\n$$', '\\frac{a}{b}', true],
    ['| \\(|x|\\) | cell |', '|x|', false],
    ['for all $n$ and more', 'n', false],
    ['the sum $\\sum_{i=1}^n i$.', '\\sum_{i=1}^n i', false],
    ['a price of \\$5 and $x$', 'x', false],
  ])('is taken out of %j', (markdown, tex, isDisplay) => {
    expect(texOf(markdown)).toEqual([{ tex, isDisplay }])
  })

  test.each([
    'It costs $5 and then $6.',
    'between $20,000 and$30,000',
    'a dollar $ alone, and $ two',
    'an escaped \\$5 or 6\\$',
    'in code `$x$`',
    'an inline `\\(x\\)` in code',
    'a fence in a list:\n- x\n  ```\n  \\[y\\]\n  ```',
    'an escaped backslash \\\\(x\\\\)',
    'an open \\(formula',
    '$$$$',
  ])('is not found in %j', (markdown) => {
    expect(texOf(markdown)).toEqual([])
    expect(takeFormulas(markdown).text).toBe(markdown)
  })

  test('stands where it was once the text is parsed', () => {
    const { text, formulas } = takeFormulas('Let \\(x\\) be **\\(y\\)**.')
    const [before, mark, between] = text.split(/(\uE000\d\uE001)/)
    expect([before, mark, between]).toEqual(['Let ', '\uE0000\uE001', ' be **'])
    const tree = { type: 'root', children: [{ type: 'text', value: `${text} \uE0007\uE001` }] }
    placeFormulas(formulas)()(tree)
    expect(tree.children).toMatchObject([
      { value: 'Let ' },
      { tagName: 'var', properties: { dataTex: 'x', dataDisplay: false } },
      { value: ' be **' },
      { tagName: 'var', properties: { dataTex: 'y' } },
      { value: '**. ' },
      // A model's own private-use characters stay text.
      { value: '\uE0007\uE001' },
    ])
  })
})
