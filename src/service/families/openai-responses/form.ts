/** What the wire and the endpoint of this form share: its name, and the vendor's types of an answer. */
import type {
  Response,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses'

/** The name by which requests in this form are sent unchanged to providers of the form. */
export const originalWire = 'openai-responses'

type WithoutNumber<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never

/** An event before it has its number in the stream. */
export type UnnumberedEvent = WithoutNumber<ResponseStreamEvent>
export type OutputItem = ResponseOutputItem
/** The SDK adds `output_text` itself. */
export type WholeResponse = Omit<Response, 'output_text'>
