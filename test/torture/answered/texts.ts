/** Prompts of several kinds, and how different tokenizers count them. Written without the estimates of the program. */
import type { Chance } from '../../agents/random.ts'

export type TextKind = 'prose' | 'code' | 'japanese' | 'russian' | 'mixed'

const prose = (
  'the of and to in a is that it was for on are as with they be at one have this from or had by hot word but what some ' +
  'we can out other were all there when up use your how said an each she which do their time if will way about many then ' +
  'them write would like so these her long make thing see him two has look more day could go come did number sound no most ' +
  'people my over know water than call first who may down side been now find any new work part take get place made live ' +
  'where after back little only round man year came show every good me give our under name very through just form sentence ' +
  'great think say help low line differ turn cause much mean before move right boy old too same tell does set three want ' +
  'contract delivery warehouse customer invoice schedule maintenance population temperature government architecture'
).split(' ')
const code = [
  'const result = await client.fetch(url, { headers, body: JSON.stringify(value) })',
  'if (index >= items.length) throw new RangeError(`no item ${index}`)',
  'for (const [key, value] of Object.entries(options)) target[key] ??= value',
  '    return self._cache.get((name, version), None) or self.load(name)',
  'export function sum(values: readonly number[]): number {',
  '  return values.reduce((total, value) => total + value, 0)',
  '}',
]
const japanese =
  '今日は天気がとても良いので公園まで歩いて行きました。契約書の内容を確認してからご連絡いたします。'
const russian =
  'сегодня погода очень хорошая поэтому мы пошли в парк пешком и потом проверили договор с заказчиком перед отправкой'.split(
    ' ',
  )

/** @param characters  about so many */
export function drawText(chance: Chance, kind: TextKind, characters: number): string {
  let text = ''
  while (text.length < characters) text += pieceOf(chance, kind)
  return text
}

function pieceOf(chance: Chance, kind: TextKind): string {
  switch (kind) {
    case 'prose': {
      const words = Array.from(
        { length: 6 + chance.below(12) },
        () => prose[chance.below(prose.length)],
      )
      return `${words.join(' ')}. `
    }
    case 'code':
      return `${code[chance.below(code.length)]}\n`
    case 'japanese': {
      const start = chance.below(japanese.length - 8)
      return japanese.slice(start, start + 3 + chance.below(6))
    }
    case 'russian':
      return `${russian[chance.below(russian.length)]} `
    case 'mixed':
      return pieceOf(chance, chance.pick(['prose', 'prose', 'code', 'russian']))
  }
}

export interface Tokenizer {
  /** Longest word that is one token. */
  wordCharacters: number
  /** Tokens of one character of another script. */
  perForeign: number
  /** Tokens that the vendor adds to every prompt. */
  overhead: number
}

export const tokenizers = {
  openai: { wordCharacters: 9, perForeign: 0.6, overhead: 7 },
  anthropic: { wordCharacters: 7, perForeign: 0.95, overhead: 9 },
  google: { wordCharacters: 8, perForeign: 0.55, overhead: 1 },
  llama: { wordCharacters: 8, perForeign: 0.75, overhead: 11 },
} as const satisfies Record<string, Tokenizer>

/** The count of one tokenizer: a space belongs to the word after it, and every mark is a token. */
export function countTokens(
  text: string,
  { wordCharacters, perForeign, overhead }: Tokenizer,
): number {
  let tokens = overhead
  for (const [piece] of text.matchAll(/ ?[A-Za-z]+|\d{1,3}|[^\p{ASCII}]+|\s+|[^\sA-Za-z\d]/gu)) {
    if (/[^\p{ASCII}]/u.test(piece)) tokens += piece.length * perForeign
    else tokens += Math.ceil(piece.trim().length / wordCharacters) || 1
  }
  return Math.round(tokens)
}
