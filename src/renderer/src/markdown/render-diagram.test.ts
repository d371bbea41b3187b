import { expect, test } from 'vitest'
import { renderDiagram } from './render-diagram.ts'

const colours = { bg: 'rgb(255, 255, 255)', fg: 'rgb(0, 0, 0)' }

/** The texts of the image, in its order. */
async function textsOf(source: string): Promise<string[]> {
  const svg = (await renderDiagram(source, colours)) ?? ''
  return [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, text = '']) => text)
}

test.each([
  ['graph TD\n A[Start] --> B{Ready?}\n B -->|yes| C(Go)', ['yes', 'Start', 'Ready?', 'Go']],
  ['graph TD; A-->B; B--no-->C', ['no', 'A', 'B', 'C']],
  ['flowchart LR\n%% note\n A["a; b"]-->B\n click A "https://example.com"', ['a; b', 'B']],
  ['sequenceDiagram\n Ann->>Bob: Hello<br/>there', ['Hello there', 'Ann', 'Bob']],
  ['classDiagram\n Animal <|-- Duck', ['Animal', 'Duck']],
  ['erDiagram\n A ||--o{ B : has', ['A', '(no attributes)', 'B', '(no attributes)', 'has']],
  ['stateDiagram-v2\n [*] --> Still', ['Still']],
])('%j is drawn', async (source, texts) => {
  expect(await textsOf(source)).toEqual(texts)
})

test.each([
  ['a kind that the library does not know', 'gantt\n title Plan'],
  ['no diagram', 'Hello'],
  ['a diagram of nothing', 'graph TD\n (((('],
  ['a long source', `graph TD\n${' A --> B\n'.repeat(2000)}`],
  [
    'a wide image',
    `graph LR\n${Array.from({ length: 200 }, (_, at) => `n${at} --> n${at + 1}`).join('\n')}`,
  ],
])('%s stays code', async (_what, source) => {
  expect(await renderDiagram(source, colours)).toBeNull()
})

test('an image loads nothing: no fonts, no addresses, no markup of labels', async () => {
  const svg = await renderDiagram(
    'graph TD\n A["<img src=https://evil.example/a onerror=x>"] --> B\n style A fill:url(https://evil.example/b)\n click A href "https://evil.example/c"',
    colours,
  )
  const dangerous = /@import|<(?:img|image|script|a|foreignObject)\b|url\((?!#)|href=|\son\w+=/
  expect(svg).toContain('&lt;img')
  expect(svg?.replaceAll(/&lt;.*?&gt;/g, '')).not.toMatch(dangerous)
  const sequence = await renderDiagram('classDiagram\n Animal <|-- Duck', colours)
  expect(sequence).not.toMatch(/@import|https:/)
})
