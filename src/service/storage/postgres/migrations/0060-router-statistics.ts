/** Answer lengths and first looks of each router, as JSON (`storage/model-statistics.ts`). */
export const routerStatistics = `
  CREATE TABLE router_statistics (
    router TEXT COLLATE "C" PRIMARY KEY,
    statistics TEXT COLLATE "C" NOT NULL
  );
`
