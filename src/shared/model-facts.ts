/** Published or assumed facts about a model, besides its price and abilities. */

/** The lowest and highest possible value; equal when the value is published. */
export type ParameterRange = readonly [min: number, max: number]

/** Parameters in billions: those active for a token, and all of them. */
export interface ModelSize {
  activeBillions: ParameterRange
  totalBillions: ParameterRange
}

/** A model's published speed, used until Modelport has measured its own. */
export interface ModelSpeed {
  firstTokenMs: number
  msPerToken: number
}
