// Time the npm package `sitemap`: node npm_sitemap.mjs <number of pages> <folder>; prints seconds.
// Processor time of all threads, from the pages to the files. NODE_PATH names the folder of packages.
import { createWriteStream } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const { SitemapAndIndexStream, SitemapStream } = createRequire(import.meta.url)("sitemap");
const [count, folder] = [Number(process.argv[2]), process.argv[3]];
const base = "https://docs.example.com/en/latest/";
const start = Date.UTC(2020, 0, 1);
const pages = Array.from({ length: count }, (_, n) => ({
  url: `${base}library/section-${n % 97}/page-${n}.html`,
  lastmod: new Date(start + n * 60_000).toISOString(),
}));
const before = process.cpuUsage();
const index = new SitemapAndIndexStream({
  limit: 50_000,
  getSitemapStream: (number) => {
    const stream = new SitemapStream();
    const file = stream.pipe(createWriteStream(join(folder, `sitemap-${number}.xml`)));
    return [`${base}sitemap-${number}.xml`, stream, file];
  },
});
await pipeline(Readable.from(pages), index, createWriteStream(join(folder, "sitemap.xml")));
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1e6);
