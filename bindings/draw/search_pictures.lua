-- search_pictures: the method that draws the result of a search. Only this file of the folder loads
-- searches.
local caller_error = require "orrery.support.caller_error"
local outcome = require "orrery.search.outcome"
local pictures = require "orrery.draw.pictures"

outcome.class.report = function(...)
  return caller_error.checked(pictures.search_report.write, ...)
end

return outcome
