/** The JSON of Gemini's REST API, derived from the types of Google's own SDK. */
import type {
  Content,
  FunctionResponsePart,
  GenerationConfig,
  Part,
  SafetySetting,
  ThinkingConfig,
  Tool,
  ToolConfig,
} from '@google/genai'

/** A type of the SDK as it is sent: an enum is one of its texts, and a class is its fields. */
export type AsJson<Value> = Value extends string
  ? `${Value}`
  : Value extends readonly (infer Item)[]
    ? AsJson<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: AsJson<Value[Name]> }
      : Value

export type GeminiContent = AsJson<Content>
export type GeminiPart = AsJson<Part>
export type GeminiResponsePart = AsJson<FunctionResponsePart>
export type GeminiTool = AsJson<Tool>
export type GeminiToolConfig = AsJson<ToolConfig>
export type GeminiGenerationConfig = AsJson<GenerationConfig>
export type GeminiThinkingConfig = AsJson<ThinkingConfig>

/** The body of `generateContent` and `streamGenerateContent`. */
export interface GeminiRequest {
  contents: GeminiContent[]
  systemInstruction?: GeminiContent
  tools?: GeminiTool[]
  toolConfig?: GeminiToolConfig
  safetySettings?: AsJson<SafetySetting>[]
  generationConfig?: GeminiGenerationConfig
}
