import type { RoutingFieldsProps } from './choosing-fields.tsx'
import type { RouterFields } from './use-router-editor.ts'

/** The routing settings of a router's form. */
export function routingFieldsOf({ texts, error, change }: RouterFields): RoutingFieldsProps {
  return { texts: texts.routing, error, onChange: (routing) => change({ routing }) }
}
