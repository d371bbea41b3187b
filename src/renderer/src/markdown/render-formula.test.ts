import { expect, test } from 'vitest'
import { renderFormula, type MathNode } from './render-formula.ts'

function markup(node: MathNode | null): string {
  if (node === null) return 'invalid'
  if (typeof node === 'string') return node
  return `<${node.name}>${node.children.map(markup).join('')}</${node.name}>`
}

test('TeX becomes MathML', () => {
  expect(markup(renderFormula('\\frac{a}{b}', true))).toBe(
    '<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>',
  )
})

test('a matrix can be posted between threads', () => {
  const matrix = renderFormula('\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}', true)
  expect(structuredClone(matrix)).toEqual(matrix)
  expect(markup(matrix)).toContain('<mtd><mn>4</mn></mtd>')
})

test.each(['\\frac{a', '\\nosuchcommand{x}', '\\href{https://example.com}{x}'])(
  '%s is refused',
  (tex) => {
    expect(renderFormula(tex, false)).toBeNull()
  },
)

test('endless macros end', () => {
  expect(renderFormula('\\def\\a{\\a\\a}\\a', false)).toBeNull()
})
