import { Copy, ImageOff } from 'lucide-react'
import { memo, useState } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import remend from 'remend'
import { t } from '../../../shared/strings/strings.ts'
import { OutsideLink } from '../components/outside-link.tsx'
import { emptySplit, splitBlocks, type Block } from './blocks.ts'
import { CodeBlock } from './code-block.tsx'
import { Formula, FormulaSource } from './formula.tsx'
import { placeFormulas, takeFormulas } from './formulas.ts'

interface MarkdownProps {
  text: string
  /** More text will follow. Unclosed markup at the end is closed for display. */
  isArriving: boolean
}

/** A model's answer. HTML stays text, images are not loaded, links ask before they open. */
export function Markdown({ text, isArriving }: MarkdownProps) {
  const [split, setSplit] = useState(() => splitBlocks(emptySplit, text))
  const grown = splitBlocks(split, text)
  if (grown !== split) setSplit(grown)
  const { final, tail } = grown
  return (
    <div className={`prose ${isArriving ? 'arriving' : ''}`}>
      {/* One list, so that a block keeps its elements when it becomes final. */}
      {[...final, ...tail].map((block, index) => (
        <MemoBlock
          key={block.start}
          block={block}
          isArriving={isArriving && index >= final.length}
        />
      ))}
    </div>
  )
}

const plugins = [remarkGfm]

const MemoBlock = memo(function MarkdownBlock({
  block,
  isArriving,
}: {
  block: Block
  isArriving: boolean
}) {
  if (block.kind === 'code') return <CodeBlock block={block} isArriving={isArriving} />
  if (block.kind === 'formula') {
    return isArriving ? <FormulaSource tex={block.text} /> : <Formula tex={block.text} isDisplay />
  }
  return (
    <div className="prose-block">
      <MarkdownText source={block.text} isArriving={isArriving} />
    </div>
  )
})

function MarkdownText({ source, isArriving }: { source: string; isArriving: boolean }) {
  const { text, formulas } = takeFormulas(source)
  return (
    <ReactMarkdown
      remarkPlugins={plugins}
      rehypePlugins={formulas.length === 0 ? [] : [placeFormulas(formulas)]}
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
