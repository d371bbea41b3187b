/** What is published or assumed of a model besides its price and abilities. */

/** From the least to the most it may be; the same twice where it is published. */
export type ParameterRange = readonly [min: number, max: number]

/** Parameters in billions: those a token passes, and all of them. */
export interface ModelSize {
  activeBillions: ParameterRange
  totalBillions: ParameterRange
}

/** A model's published speed, used until Modelport has measured its own. */
export interface ModelSpeed {
  firstTokenMs: number
  msPerToken: number
}
