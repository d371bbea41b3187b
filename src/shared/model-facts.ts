/** What is published or assumed of a model besides its price and abilities. */

/** From the least to the most it may be; the same twice where it is published. */
export type ParameterRange = readonly [min: number, max: number]

/** Parameters in billions: those a token passes, and all of them. */
export interface ModelSize {
  activeBillions: ParameterRange
  totalBillions: ParameterRange
}

/** How long a model takes before anything was seen of it here. */
export interface ModelPace {
  firstTokenMs: number
  msPerToken: number
}
