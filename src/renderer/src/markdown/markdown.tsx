import { Copy, ImageOff } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import remend from 'remend'
import { t } from '../../../shared/strings/strings.ts'
import { OutsideLink } from '../components/outside-link.tsx'
import { growingSplit, type Block } from './blocks.ts'
import { CodeBlock } from './code-block.tsx'
import { Formula, FormulaSource } from './formula.tsx'
import { placeFormulas, takeFormulas } from './formulas.ts'
import { SourceMarkLink } from './source-mark.tsx'
import {
  marksOfParts,
  noMarks,
  placeMarks,
  withShortLineEnds,
  type SourceMark,
} from './source-marks.ts'

interface MarkdownProps {
  text: string
  /** More text will follow. Unclosed markup at the end is closed for display. */
  isArriving: boolean
  /** The numbers of its sources, where the text cites them. */
  marks?: readonly SourceMark[]
}

/** A model's answer. HTML stays text, images are not loaded, links ask before they open. */
export function Markdown({ text, isArriving, marks = noMarks }: MarkdownProps) {
  const [split] = useState(growingSplit)
  const { final, tail } = split(text)
  // One list, so that a block keeps its elements when it becomes final.
  const blocks = [...final, ...tail]
  const marksOf = useMemo(() => marksOfBlocks(text, marks), [text, marks])
  const count = Math.ceil(blocks.length / groupSize)
  return (
    <div className={`prose ${isArriving ? 'arriving' : ''}`}>
      {Array.from({ length: count }, (_, at) => (
        <BlockGroup
          key={at}
          blocks={blocks.slice(at * groupSize, (at + 1) * groupSize)}
          marks={marksOf.slice(at * groupSize, (at + 1) * groupSize)}
          arrivingFrom={isArriving ? final.length - at * groupSize : groupSize}
        />
      ))}
    </div>
  )
}

/** @returns nothing for a text without marks, so that one which grows is not split twice */
function marksOfBlocks(text: string, marks: readonly SourceMark[]) {
  if (marks.length === 0) return []
  const { final, tail } = growingSplit()(text)
  const starts = [...final, ...tail].map(({ start }) => start)
  return marksOfParts(withShortLineEnds(marks, text), starts)
}

/** In groups, so that the browser and React look at few elements for each piece of a long answer. */
const groupSize = 16

interface BlockGroupProps {
  blocks: readonly Block[]
  /** Of each block; empty without any. */
  marks: readonly (readonly SourceMark[])[]
  /** The index of the first block that may still change. */
  arrivingFrom: number
}

const BlockGroup = memo(function BlockGroup({ blocks, marks, arrivingFrom }: BlockGroupProps) {
  return (
    <div className="prose-group">
      {blocks.map((block, at) => (
        <MemoBlock
          key={block.start}
          block={block}
          marks={marks[at] ?? noMarks}
          isArriving={at >= arrivingFrom}
        />
      ))}
    </div>
  )
}, isSameGroup)

function isSameGroup(before: BlockGroupProps, after: BlockGroupProps): boolean {
  const { blocks, marks, arrivingFrom } = after
  return (
    before.blocks.length === blocks.length &&
    before.marks.length === marks.length &&
    marks.every((ofBlock, at) => ofBlock === before.marks[at]) &&
    Math.min(before.arrivingFrom, blocks.length) === Math.min(arrivingFrom, blocks.length) &&
    blocks.every((block, at) => block === before.blocks[at])
  )
}

/** Keeps definitions as text. Their references are in other blocks, so a block of definitions would draw nothing. */
function definitionsAsText(this: { data: () => object }): void {
  // `remark-parse` reads this field.
  const data: { micromarkExtensions?: object[] } = this.data()
  data.micromarkExtensions ??= []
  data.micromarkExtensions.push({ disable: { null: ['definition', 'gfmFootnoteDefinition'] } })
}

const plugins = [remarkGfm]
const definitionPlugins = [remarkGfm, definitionsAsText]
const beginsDefinition = /^ {0,3}\[[^\]]+\]:/

interface MarkdownBlockProps {
  block: Block
  marks: readonly SourceMark[]
  isArriving: boolean
}

const MemoBlock = memo(function MarkdownBlock({ block, marks, isArriving }: MarkdownBlockProps) {
  if (block.kind === 'markdown') {
    return (
      <div className="prose-block">
        <MarkdownText source={block.text} marks={marks} isArriving={isArriving} />
      </div>
    )
  }
  return (
    <>
      {block.kind === 'code' && <CodeBlock block={block} isArriving={isArriving} />}
      {block.kind === 'formula' && isArriving && <FormulaSource tex={block.text} />}
      {block.kind === 'formula' && !isArriving && <Formula tex={block.text} isDisplay />}
      {marks.length > 0 && (
        <p>
          {marks.map(({ at, number, title, address }) => (
            <SourceMarkLink key={`${at} ${number}`} {...{ number, title, address }} />
          ))}
        </p>
      )}
    </>
  )
})

interface MarkdownTextProps {
  source: string
  marks: readonly SourceMark[]
  isArriving: boolean
}

function MarkdownText({ source, marks, isArriving }: MarkdownTextProps) {
  const { text, formulas, placeOf } = takeFormulas(source)
  const placed = marks.map((mark) => ({ ...mark, at: placeOf(mark.at) }))
  return (
    <ReactMarkdown
      remarkPlugins={beginsDefinition.test(text) ? definitionPlugins : plugins}
      rehypePlugins={[
        ...(placed.length === 0 ? [] : [placeMarks(placed)]),
        ...(formulas.length === 0 ? [] : [placeFormulas(formulas)]),
      ]}
      components={components}
    >
      {isArriving ? remend(text, { linkMode: 'text-only', katex: false }) : text}
    </ReactMarkdown>
  )
}

const components: Components = {
  // Only `placeFormulas` makes this element.
  var: ({ node }) => {
    const { dataTex, dataDisplay } = node?.properties ?? {}
    return <Formula tex={String(dataTex)} isDisplay={dataDisplay === true} />
  },
  // Only `placeMarks` makes this element.
  cite: ({ node }) => {
    const { dataNumber, dataTitle, dataAddress } = node?.properties ?? {}
    const [title, address] = [String(dataTitle), String(dataAddress)]
    return <SourceMarkLink number={Number(dataNumber)} {...{ title, address }} />
  },
  table: ({ children }) => (
    <div
      // Wide tables scroll, and a scroll area must be reachable by keyboard.
      tabIndex={0}
      role="region"
      aria-label={t('Table')}
      className="overflow-x-auto"
    >
      <table>{children}</table>
    </div>
  ),
  a: ({ href, children }) => <Link address={href ?? ''}>{children}</Link>,
  img: ({ src, alt }) => (
    <span className="inline-flex items-center gap-1.5 rounded-md border border-line bg-sunken px-2 py-0.5 text-xs text-muted">
      <ImageOff size={13} aria-hidden />
      {alt ? t('Image not loaded: {alt}', { alt }) : t('Image not loaded')}
      {typeof src === 'string' && hostOf(src) && ` (${hostOf(src)})`}
    </span>
  ),
}

/** A link that opens if it is https, and a button that shows its host and copies the address. */
function Link({ address, children }: { address: string; children: React.ReactNode }) {
  const host = hostOf(address)
  return (
    <span>
      {/^https:/i.test(address) ? (
        <OutsideLink address={address}>{children}</OutsideLink>
      ) : (
        <span className="underline decoration-dotted underline-offset-3">{children}</span>
      )}
      {host && (
        <button
          type="button"
          title={address}
          aria-label={t('Copy link to {host}', { host })}
          onClick={() => void navigator.clipboard.writeText(address)}
          className="mx-1 inline-flex items-center gap-1 rounded border border-line bg-sunken px-1 align-baseline text-xs text-muted hover:bg-hover"
        >
          {host}
          <Copy size={11} aria-hidden />
        </button>
      )}
    </span>
  )
}

/** The host of a web address; null for anything else. */
function hostOf(address: string): string | null {
  if (!/^https?:/i.test(address)) return null
  return URL.parse(address)?.host ?? null
}
