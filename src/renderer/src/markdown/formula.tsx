import { createElement, type ReactNode } from 'react'
import { t } from '../../../shared/strings/strings.ts'
import type { MathNode } from './render-formula.ts'
import { useFormula } from './rendering.ts'
import './formula.css'

/** A formula as MathML; its TeX until it is ready, or when it is not valid. */
export function Formula({ tex, isDisplay }: { tex: string; isDisplay: boolean }) {
  const node = useFormula(tex, isDisplay)
  const shown = node === null ? <FormulaSource tex={tex} /> : toElement(node)
  if (!isDisplay) return shown
  return (
    <span
      // A long formula scrolls, and a scroll area must be reachable by keyboard.
      tabIndex={0}
      role="region"
      aria-label={t('Formula')}
      className="block overflow-x-auto overflow-y-hidden py-1"
    >
      {shown}
    </span>
  )
}

export function FormulaSource({ tex }: { tex: string }) {
  return <code className="whitespace-pre-wrap text-muted">{tex}</code>
}

/** Elements, not markup: the window refuses to parse strings as HTML. */
function toElement(node: MathNode): ReactNode & object {
  if (typeof node === 'string') return <>{node}</>
  const { name, attributes, classes, style, children } = node
  return createElement(
    name,
    { ...attributes, ...(classes !== '' && { className: classes }), style },
    ...children.map((child) => (typeof child === 'string' ? child : toElement(child))),
  )
}
