import { Eye } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { previewLanguages } from '../../../shared/chat/code-preview.ts'
import { t } from '../../../shared/strings/strings.ts'
import { Button } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import type { Block } from './blocks.ts'
import { Diagram } from './diagram.tsx'
import { useHighlighting } from './rendering.ts'

/** Names of languages that differ from their usual short forms. */
const languageNames: Readonly<Record<string, string>> = {
  bash: 'Shell',
  c: 'C',
  cpp: 'C++',
  cs: 'C#',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  go: 'Go',
  html: 'HTML',
  java: 'Java',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  jsx: 'JSX',
  kotlin: 'Kotlin',
  markdown: 'Markdown',
  md: 'Markdown',
  php: 'PHP',
  py: 'Python',
  python: 'Python',
  rb: 'Ruby',
  rs: 'Rust',
  ruby: 'Ruby',
  rust: 'Rust',
  sh: 'Shell',
  shell: 'Shell',
  sql: 'SQL',
  svg: 'SVG',
  swift: 'Swift',
  toml: 'TOML',
  ts: 'TypeScript',
  tsx: 'TSX',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
}

const PreviewDialog = lazy(async () => ({
  default: (await import('./preview-dialog.tsx')).PreviewDialog,
}))

interface CodeBlockProps {
  block: Block
  /** Code is coloured once it is complete. */
  isArriving: boolean
}

export function CodeBlock({ block: { text, language }, isArriving }: CodeBlockProps) {
  const parts = useHighlighting(text, isArriving ? null : language)
  const [isDrawn, setIsDrawn] = useState(false)
  const hasDiagram = language?.toLowerCase() === 'mermaid' && !isArriving
  const name = language === null ? t('Text') : (languageNames[language.toLowerCase()] ?? language)
  const code = (
    <pre
      // Long lines scroll, and a scroll area must be reachable by keyboard.
      tabIndex={0}
      role="region"
      aria-label={t('Code, {name}', { name })}
      className="overflow-x-auto px-3 py-2.5 font-mono text-xs leading-relaxed"
    >
      <code>
        {parts === null
          ? text
          : parts.map(([piece, kind], index) =>
              kind === null ? (
                piece
              ) : (
                <span key={index} className={`code-${kind}`}>
                  {piece}
                </span>
              ),
            )}
      </code>
    </pre>
  )
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-sunken">
      <div className="flex items-center justify-between border-b border-line py-0.5 pr-1 pl-3 text-xs text-muted">
        <span>{name}</span>
        <span className="flex items-center">
          {hasDiagram && (
            <Button look="quiet" size="small" onClick={() => setIsDrawn(!isDrawn)}>
              {isDrawn ? t('Code') : t('Diagram')}
            </Button>
          )}
          {!isArriving && <PreviewButton {...{ text, language }} />}
          <CopyButton text={text} what={t('code')} />
        </span>
      </div>
      {isDrawn && hasDiagram ? <Diagram source={text}>{code}</Diagram> : code}
    </div>
  )
}

/** Nothing for languages without a preview. */
function PreviewButton({ text, language: named }: Pick<Block, 'text' | 'language'>) {
  const [isOpen, setIsOpen] = useState(false)
  const language = previewLanguages.find((known) => known === named?.toLowerCase())
  if (language === undefined) return null
  return (
    <>
      <Button look="quiet" size="small" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <Eye size={13} aria-hidden /> {t('Preview')}
      </Button>
      {isOpen && (
        <Suspense>
          <PreviewDialog {...{ language, text }} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
