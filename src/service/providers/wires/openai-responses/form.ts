/** The vendor's types of an answer, for the wire and for the endpoint that writes this form. */
import type {
  Response,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses'

type WithoutNumber<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never

/** An event before it has its number in the stream. */
export type UnnumberedEvent = WithoutNumber<ResponseStreamEvent>
export type OutputItem = ResponseOutputItem
/** The SDK adds `output_text` itself. */
export type WholeResponse = Omit<Response, 'output_text'>
