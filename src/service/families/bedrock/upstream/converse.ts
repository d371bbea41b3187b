/** Bedrock's Converse API as JSON: the types of AWS's SDK, with bytes as base64 text. */
import type {
  CachePointBlock,
  ContentBlock as SdkContentBlock,
  ConverseRequest,
  Message as SdkMessage,
  SystemContentBlock as SdkSystemBlock,
  Tool as SdkTool,
  ToolResultContentBlock as SdkResultBlock,
} from '@aws-sdk/client-bedrock-runtime'

/** Any JSON, such as a tool's schema. */
export type Document = NonNullable<ConverseRequest['additionalModelRequestFields']>

// Documents refer to themselves, so mapping their fields would never end.
type OnWire<T> = [Document] extends [T] ? T : Mapped<T>
type Mapped<T> = T extends Uint8Array
  ? string
  : T extends object
    ? { [Field in keyof T]: OnWire<T[Field]> }
    : T

/** The model's name is in the path. */
export type ConverseBody = OnWire<Omit<ConverseRequest, 'modelId'>>
export type Message = OnWire<SdkMessage>
export type ContentBlock = OnWire<SdkContentBlock>
export type ResultBlock = OnWire<SdkResultBlock>
export type SystemBlock = OnWire<SdkSystemBlock>
export type Tool = OnWire<SdkTool>
export type CachePoint = { cachePoint: OnWire<CachePointBlock> }

/** The name under which an error without a type arrives as an event of a stream. */
export const unnamedError = 'error'
