import { Fragment, type ReactNode } from 'react'
import { textParts } from '../../../shared/strings/strings.ts'

/** The text of a message whose values are elements: `rich('Get one at {link}', { link: <a … /> })`. */
export function rich(message: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  const parts = textParts<ReactNode>(message, values)
  // The order of the parts never changes while a language is used.
  return parts.map((part, index) => <Fragment key={index}>{part}</Fragment>)
}
