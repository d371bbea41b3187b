/** Colours, sizes and words of the text editor. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, tooltips } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { t } from '../../../../shared/strings/strings.ts'

/** The colours of code elsewhere in the window. */
const colours = HighlightStyle.define([
  { tag: tags.comment, class: 'code-comment' },
  { tag: tags.definition(tags.propertyName), class: 'code-title' },
  { tag: tags.string, class: 'code-string' },
  { tag: tags.meta, class: 'code-keyword' },
  { tag: [tags.number, tags.bool, tags.null], class: 'code-number' },
])

const popup = {
  background: 'var(--color-raised)',
  border: '1px solid var(--color-line)',
  borderRadius: '0.5rem',
  color: 'var(--color-ink)',
  fontFamily: 'var(--font-sans)',
  fontSize: 'var(--text-xs)',
}
const field = {
  background: 'var(--color-surface)',
  border: '1px solid var(--color-edge)',
  borderRadius: '0.375rem',
  color: 'var(--color-ink)',
  fontSize: 'var(--text-xs)',
}

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: 'var(--text-xs)', background: 'var(--color-surface)' },
  '&.cm-focused': { outline: 'none' },
  // Above the numbers of lines, which would cover an outline.
  '&.cm-focused::after': {
    border: '2px solid var(--color-accent)',
    content: '""',
    inset: '0',
    pointerEvents: 'none',
    position: 'absolute',
    zIndex: '250',
  },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6' },
  '.cm-content': { padding: 'calc(var(--spacing) * 2) 0', caretColor: 'var(--color-ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '.cm-gutters': {
    background: 'var(--color-sunken)',
    borderRight: '1px solid var(--color-line)',
    color: 'var(--color-muted)',
  },
  '.cm-activeLine': { background: 'transparent' },
  '&.cm-focused .cm-activeLine': { background: 'var(--color-sunken)' },
  '& .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    { background: 'var(--color-accent-soft)' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--color-accent-soft)' },
  '.cm-searchMatch': { background: 'var(--color-warn-soft)' },
  '.cm-searchMatch-selected': { outline: '1px solid var(--color-warn)' },
  '.cm-issueLine, &.cm-focused .cm-issueLine': { background: 'var(--color-bad-soft)' },
  '.cm-issue': { textDecoration: 'underline wavy var(--color-bad)' },
  '.cm-issueText': {
    color: 'var(--color-bad)',
    display: 'inline-block',
    fontFamily: 'var(--font-sans)',
    paddingLeft: '1.5em',
  },
  '.cm-issueText::first-letter': { textTransform: 'uppercase' },
  '.cm-tooltip': popup,
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '16em' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--color-accent-soft)',
    color: 'var(--color-ink)',
  },
  '.cm-completionMatchedText': { fontWeight: '600', textDecoration: 'none' },
  '.cm-completionDetail': { color: 'var(--color-muted)', fontFamily: 'var(--font-sans)' },
  '.cm-fieldHint, .cm-tooltip.cm-completionInfo': {
    maxWidth: '24rem',
    padding: '0.375rem 0.625rem',
  },
  '.cm-panels': { background: 'var(--color-raised)', color: 'var(--color-ink)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--color-line)' },
  '.cm-panel.cm-search': {
    fontFamily: 'var(--font-sans)',
    padding: '0.375rem 2rem 0.375rem 0.625rem',
  },
  '.cm-panel.cm-search label': { fontSize: 'var(--text-xs)' },
  '.cm-textfield': field,
  '.cm-button': { ...field, backgroundImage: 'none', padding: '0.125rem 0.5rem' },
})

export function textLook(): Extension {
  return [
    theme,
    syntaxHighlighting(colours),
    tooltips({ parent: document.body }),
    EditorView.cspNonce.of(styleNonce()),
    EditorState.phrases.of({
      Find: t('Find'),
      Replace: t('Replace'),
      next: t('Next'),
      previous: t('Previous'),
      all: t('All'),
      'match case': t('Match case'),
      regexp: t('Regular expression'),
      'by word': t('Whole words'),
      replace: t('Replace'),
      'replace all': t('Replace all'),
      close: t('Close'),
      Completions: t('Suggestions'),
    }),
  ]
}

/** The window's policy accepts styles with this value only. `npm run dev` has no policy. */
function styleNonce(): string {
  return document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}
